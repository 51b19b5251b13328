// The AI SDK's provider for OpenAI, which asks for responses, against a Quarry whose address is the argument.
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const require = createRequire(process.cwd() + "/");
const { createOpenAI } = require("@ai-sdk/openai");
const { generateText, streamText } = require("ai7");
const sent = [];
const send = (url, options) => (sent.push(options.body), fetch(url, options));
const openai = createOpenAI({ baseURL: process.argv[2] + "/v1", apiKey: "none", fetch: send });
const asked = { model: openai("quarry"), prompt: "What is six times seven?", maxRetries: 0 };

const whole = await generateText(asked);
assert.match(whole.text, /31\.2 percent/);
assert.equal(whole.finishReason, "stop");
assert.ok(whole.usage.totalTokens > 0);
assert.ok(whole.reasoningText.length > 0);

const failures = [];
const stream = streamText({ ...asked, onError: ({ error }) => failures.push(error) });
let text = "";
for await (const part of stream.textStream) text += part;
assert.deepEqual(failures, []);
assert.equal(text, whole.text);
assert.equal(await stream.finishReason, "stop");

const tools = { web_search: openai.tools.webSearch({}) };
const searched = await generateText({ ...asked, tools });
assert.equal(searched.text, whole.text);

// A conversation as the SDK sends it: what came before by the ids of its items alone.
const before = whole.responseMessages ?? whole.response.messages;
const user = (content) => ({ role: "user", content });
const messages = [user(asked.prompt), ...before, user("And times eight?")];
const next = await generateText({ model: asked.model, messages, maxRetries: 0 });
assert.equal(next.text, whole.text);
assert.match(sent.at(-1), /"item_reference"/);
console.log("the AI SDK's provider for OpenAI");
