// One request by LangChain's client, with the retries that LangChain makes by itself: each of them is a first try to
// the client of OpenAI's within. The arguments: the address, the door (`chat` or `responses`), and `whole` or `stream`.
import { createRequire } from "node:module";

const require = createRequire(process.cwd() + "/");
const { ChatOpenAI } = require("@langchain/openai");
const [url, door, manner] = process.argv.slice(2);
const configuration = { baseURL: url + "/v1" };
const useResponsesApi = door === "responses";
const model = new ChatOpenAI({ model: "quarry", apiKey: "none", useResponsesApi, configuration });
const question = "What is six times seven?";

if (manner === "stream") {
  let told = null;
  for await (const chunk of await model.stream(question)) told = told ? told.concat(chunk) : chunk;
  console.log(told.text);
} else {
  console.log((await model.invoke(question)).text);
}
