// LangChain's client, by responses and by chat completions, against a Quarry whose address is the argument.
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const require = createRequire(process.cwd() + "/");
const { ChatOpenAI } = require("@langchain/openai");
const question = "What is six times seven?";

for (const useResponsesApi of [true, false]) {
  const configuration = { baseURL: process.argv[2] + "/v1" };
  const model = new ChatOpenAI({ model: "quarry", apiKey: "none", maxRetries: 0, useResponsesApi, configuration });
  const whole = await model.invoke(question);
  assert.match(whole.text, /31\.2 percent/);
  assert.ok(whole.usage_metadata.total_tokens > 0);

  let streamed = null;
  for await (const chunk of await model.stream(question)) streamed = streamed ? streamed.concat(chunk) : chunk;
  assert.equal(streamed.text, whole.text);

  const following = await model.invoke([["user", question], whole, ["user", "And eight times seven?"]]);
  assert.match(following.text, /31\.2 percent/);
  console.log("LangChain for JavaScript,", useResponsesApi ? "responses" : "chat");
}
