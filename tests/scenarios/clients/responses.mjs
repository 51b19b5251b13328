// OpenAI's own JavaScript client for responses against a Quarry whose address is the first argument; the second is the package.
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const require = createRequire(process.cwd() + "/");
const { OpenAI, NotFoundError, BadRequestError } = require(process.argv[3] ?? "openai");
const client = new OpenAI({ baseURL: process.argv[2] + "/v1", apiKey: "none", maxRetries: 0 });
const asked = { model: "quarry", input: "What is six times seven?" };
const all = async (stream) => {
  const events = [];
  for await (const event of await stream) events.push(event);
  return events;
};

const whole = await client.responses.create(asked);
assert.equal(whole.status, "completed");
assert.match(whole.output_text, /31\.2 percent/);

const events = await all(client.responses.create({ ...asked, stream: true }));
assert.deepEqual(events.map((event) => event.sequence_number), events.map((_, at) => at));
const last = events.at(-1);
assert.equal(last.type, "response.completed");
const rest = await all(client.responses.retrieve(last.response.id, { stream: true, starting_after: 4 }));
assert.deepEqual(rest, events.slice(5));

const final = await client.responses.stream(asked).finalResponse();
assert.equal(final.output_text, whole.output_text);

let later = await client.responses.create({ ...asked, background: true });
while (["queued", "in_progress"].includes(later.status)) {
  await new Promise((done) => setTimeout(done, 50));
  later = await client.responses.retrieve(later.id);
}
assert.equal(later.output_text, whole.output_text);
assert.equal((await client.responses.cancel(later.id)).status, "completed");

const items = [];
for await (const item of client.responses.inputItems.list(whole.id)) items.push(item);
assert.equal(items[0].content[0].text, asked.input);
await client.responses.delete(whole.id);
await assert.rejects(client.responses.retrieve(whole.id), NotFoundError);
await assert.rejects(client.responses.create({ ...asked, previous_response_id: whole.id }), BadRequestError);
console.log("openai for JavaScript, responses");
