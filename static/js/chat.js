/* The script of the page of a chat. At collectstatic it becomes one file (config/bundles.py). */

import "./site.js";
import "./match/chat.js";
