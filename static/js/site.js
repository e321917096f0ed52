/* The script of every page. At collectstatic it becomes one file (config/bundles.py). */

import "./net/drafts.js";
import "./net/nonces.js";
import "./net/socket.js";
import "./site/badge.js";
import "./site/challenge.js";
import { tickClocks } from "./site/clocks.js";
import "./site/controls.js";
import "./site/lists.js";
import "./site/reveal.js";

tickClocks(document);
