// OpenAI's Agents SDK, by responses and by chat completions, against a Quarry whose address is the argument.
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const require = createRequire(process.cwd() + "/");
const { Agent, OpenAIProvider, Runner, setTracingDisabled, webSearchTool } = require("@openai/agents");
setTracingDisabled(true);
const question = "What is six times seven?";

for (const useResponses of [true, false]) {
  const modelProvider = new OpenAIProvider({ baseURL: process.argv[2] + "/v1", apiKey: "none", useResponses });
  const runner = new Runner({ modelProvider, tracingDisabled: true });
  const tools = useResponses ? [webSearchTool()] : [];
  const agent = new Agent({ name: "researcher", instructions: "Be brief.", model: "quarry", tools });
  const whole = await runner.run(agent, question);
  assert.match(whole.finalOutput, /31\.2 percent/);
  assert.ok(whole.rawResponses[0].usage.totalTokens > 0);

  // The conversation goes on with all items that came.
  const following = await runner.run(agent, [...whole.history, { role: "user", content: "And eight times seven?" }]);
  assert.match(following.finalOutput, /31\.2 percent/);

  const streamed = await runner.run(agent, question, { stream: true });
  let text = "";
  for await (const piece of streamed.toTextStream()) text += piece;
  await streamed.completed;
  assert.equal(text, whole.finalOutput);
  console.log("the Agents SDK for JavaScript,", useResponses ? "responses" : "chat");
}
