// ends: error SyntaxError
// attacks: an import declaration: programs are scripts
import fs from "node:fs";
