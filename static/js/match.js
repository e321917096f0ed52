/* The script of a match's page. At collectstatic it becomes one file (config/bundles.py). */

import "./site.js";
import "./match/page.js";
import "./match/chat.js";
import "./match/expert.js";
