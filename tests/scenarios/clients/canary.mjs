// Asks with the official JavaScript clients at each door of theirs and prints all that they are told. The arguments:
// the address, the access secret, and a key of the caller's own.
import { createRequire } from "node:module";

const require = createRequire(process.cwd() + "/");
const [url, secret, own] = process.argv.slice(2);
const headers = { authorization: `Bearer ${secret}`, "x-provider-key": own };
const content = "What is six times seven?";
const show = (told) => console.log(JSON.stringify(told));
const tried = (call) => call().catch((error) => show([String(error), error]));

const { OpenAI } = require("openai");
const openai = new OpenAI({ baseURL: url + "/v1", apiKey: secret, maxRetries: 0, defaultHeaders: { "x-provider-key": own } });
const chat = { model: "quarry", messages: [{ role: "user", content }] };
await tried(async () => show(await openai.chat.completions.create(chat)));
await tried(async () => {
  for await (const chunk of await openai.chat.completions.create({ ...chat, stream: true })) show(chunk);
});
await tried(async () => {
  for await (const event of await openai.responses.create({ model: "quarry", input: content, stream: true })) show(event);
});

const { DefaultChatTransport, readUIMessageStream } = require("ai7");
const transport = new DefaultChatTransport({ api: url + "/api/chat", headers });
const messages = [{ id: "m1", role: "user", parts: [{ type: "text", text: content }] }];
const readAll = async (stream) => {
  for await (const message of readUIMessageStream({ stream, onError: (error) => show(String(error)) })) show(message);
};
await tried(async () => readAll(await transport.sendMessages({ chatId: "c", messages, trigger: "submit-message" })));
await tried(async () => readAll(await transport.reconnectToStream({ chatId: "c" })));

const { HttpAgent } = require("@ag-ui/client");
const agent = new HttpAgent({ url: url + "/agui", headers, threadId: "t" });
agent.addMessage({ id: "m1", role: "user", content });
await tried(() => agent.runAgent({ runId: "r" }, { onEvent: ({ event }) => show(event) }));
show(agent.state);

const { Client, StreamableHTTPClientTransport } = require("@modelcontextprotocol/client");
for (const mode of ["legacy", { pin: "2026-07-28" }]) {
  const client = new Client({ name: "quarry-tests", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url + "/mcp"), { requestInit: { headers } }));
  show(await client.callTool({ name: "research", arguments: { question: content } }));
  await client.close();
}
