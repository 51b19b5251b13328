// OpenAI's own JavaScript client against a Quarry whose address is the first argument; the second is the package.
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const require = createRequire(process.cwd() + "/");
const { OpenAI, NotFoundError, BadRequestError } = require(process.argv[3] ?? "openai");
const client = new OpenAI({ baseURL: process.argv[2] + "/v1", apiKey: "none", maxRetries: 0 });
const asked = { model: "quarry", messages: [{ role: "user", content: "What is six times seven?" }] };

const whole = await client.chat.completions.create(asked);
const answer = whole.choices[0].message.content;
assert.match(answer, /31\.2 percent/);
assert.equal(whole.choices[0].finish_reason, "stop");

let text = "";
let usage = null;
const options = { ...asked, stream: true, stream_options: { include_usage: true } };
for await (const chunk of await client.chat.completions.create(options)) {
  text += chunk.choices[0]?.delta.content ?? "";
  usage = chunk.usage ?? usage;
}
assert.equal(text, answer);
assert.ok(usage.total_tokens > 0);

const last = await client.chat.completions.stream(asked).finalChatCompletion();
assert.equal(last.choices[0].message.content, answer);

const models = [];
for await (const model of client.models.list()) models.push(model.id);
assert.deepEqual(models.slice(0, 2), ["quarry", "quarry-direct"]);
await assert.rejects(client.chat.completions.create({ ...asked, model: "gpt-4o" }), NotFoundError);
await assert.rejects(client.chat.completions.create({ ...asked, n: 2 }), BadRequestError);
console.log("openai for JavaScript");
