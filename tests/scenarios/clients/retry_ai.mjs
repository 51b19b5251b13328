// One request by the AI SDK's provider for OpenAI, with the retries that the SDK makes by itself and does not count. The
// arguments: the address, the door (`chat` or `responses`), and `whole` or `stream`.
import { createRequire } from "node:module";

const require = createRequire(process.cwd() + "/");
const { createOpenAI } = require("@ai-sdk/openai");
const { generateText, streamText } = require("ai7");
const [url, door, manner] = process.argv.slice(2);
const openai = createOpenAI({ baseURL: url + "/v1", apiKey: "none" });
const model = door === "responses" ? openai("quarry") : openai.chat("quarry");
const asked = { model, prompt: "What is six times seven?" };

if (manner === "stream") {
  let text = "";
  for await (const part of streamText(asked).textStream) text += part;
  console.log(text);
} else {
  console.log((await generateText(asked)).text);
}
