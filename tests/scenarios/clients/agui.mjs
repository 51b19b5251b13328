// AG-UI's own client, with its verifier, against a Quarry whose address is the argument.
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const require = createRequire(process.cwd() + "/");
const { HttpAgent } = require("@ag-ui/client");

const agent = new HttpAgent({ url: process.argv[2] + "/agui", threadId: "t1" });
agent.addMessage({ id: "m1", role: "user", content: "What is six times seven?" });
const seen = [];
let finished = null;
await agent.runAgent({ runId: "r1" }, {
  onEvent: ({ event }) => { seen.push(event.type); },
  onRunFinishedEvent: ({ event }) => { finished = event; },
  onRunFailed: ({ error }) => { throw error; },
});
assert.equal(seen[0], "RUN_STARTED");
assert.equal(seen.at(-1), "RUN_FINISHED");
assert.equal(finished.outcome.type, "success");
assert.equal(agent.state.status, "complete");
assert.ok(agent.state.question && Array.isArray(agent.state.sources));
const answer = agent.messages.findLast((message) => message.role === "assistant" && message.content);
assert.match(answer.content, /31\.2 percent/);
const called = agent.messages.flatMap((message) => message.toolCalls ?? []);
const answered = agent.messages.filter((message) => message.role === "tool");
assert.ok(called.length > 0);
assert.deepEqual(called.map((call) => call.id).sort(), answered.map((message) => message.toolCallId).sort());

// The conversation goes on with all that it has now.
agent.addMessage({ id: "m2", role: "user", content: "And eight times seven?" });
await agent.runAgent({ runId: "r2" }, { onRunFailed: ({ error }) => { throw error; } });
assert.equal(agent.state.status, "complete");
console.log("AG-UI for JavaScript");
