// AG-UI's own client, with its verifier, told every golden log. The argument is a folder with a stream for each.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(process.cwd() + "/");
const { HttpAgent } = require("@ag-ui/client");

const ends = new Map();
for (const name of readdirSync(process.argv[2]).sort()) {
  const sent = readFileSync(join(process.argv[2], name), "utf8");
  globalThis.fetch = async () => new Response(sent, { headers: { "content-type": "text/event-stream" } });
  const agent = new HttpAgent({ url: "http://quarry.invalid/agui", threadId: "t" });
  agent.addMessage({ id: "m", role: "user", content: "What is six times seven?" });
  const seen = [];
  let broken = null;
  const listener = {
    onEvent: ({ event }) => { seen.push(event); },
    onRunFailed: ({ error }) => { broken = error; },
  };
  try {
    await agent.runAgent({ runId: "r" }, listener);
  } catch (error) {
    broken = error;
  }
  const last = seen.at(-1);
  const end = last.type === "RUN_FINISHED" ? last.outcome.type : last.type;
  ends.set(end, (ends.get(end) ?? 0) + 1);
  // A run that failed is a failure with the words of the run; anything else is the verifier's.
  if (broken !== null) assert.ok(end === "RUN_ERROR" && broken.message.includes(last.message), `${name}: ${broken}`);
  assert.equal(sent.split("\n\n").filter((frame) => frame.startsWith("data: ")).length, seen.length, name);
  const called = agent.messages.flatMap((message) => message.toolCalls ?? []).map((call) => call.id);
  const answered = agent.messages.filter((message) => message.role === "tool").map((message) => message.toolCallId);
  assert.deepEqual(called.sort(), answered.sort(), name);
}
for (const end of ["success", "interrupt", "RUN_ERROR"]) assert.ok(ends.get(end) > 0, `no log ends with ${end}`);
console.log("AG-UI for JavaScript,", [...ends].map(([end, count]) => `${count} × ${end}`).join(", "));
