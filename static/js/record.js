/* The script of a record. At collectstatic it becomes one file (config/bundles.py). */

import "./site.js";
import "./match/record.js";
import "./match/dice.js";
import "./match/chat.js";
