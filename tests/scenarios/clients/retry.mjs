// One request by OpenAI's own JavaScript client, with the retries that it makes by itself. The arguments: the address,
// the door (`chat` or `responses`), and `whole` or `stream`.
import { createRequire } from "node:module";

const require = createRequire(process.cwd() + "/");
const { OpenAI } = require("openai");
const [url, door, manner] = process.argv.slice(2);
const client = new OpenAI({ baseURL: url + "/v1", apiKey: "none" });
const isStream = manner === "stream";
const content = "What is six times seven?";

if (door === "responses") {
  const asked = { model: "quarry", input: content };
  const { responses } = client;
  const answer = await (isStream ? responses.stream(asked).finalResponse() : responses.create(asked));
  console.log(answer.output_text);
} else {
  const asked = { model: "quarry", messages: [{ role: "user", content }] };
  const { completions } = client.chat;
  const answer = await (isStream ? completions.stream(asked).finalChatCompletion() : completions.create(asked));
  console.log(answer.choices[0].message.content);
}
