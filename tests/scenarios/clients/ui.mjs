// The AI SDK's own transport and reader, of three versions, against a Quarry whose address is the argument.
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const require = createRequire(process.cwd() + "/");
const question = { id: "m1", role: "user", parts: [{ type: "text", text: "What is six times seven?" }] };

for (const version of ["ai5", "ai6", "ai7"]) {
  const { DefaultChatTransport, readUIMessageStream } = require(version);
  const transport = new DefaultChatTransport({ api: process.argv[2] + "/api/chat" });
  const chatId = "chat-" + version;
  const sent = { chatId, messages: [question], trigger: "submit-message", messageId: undefined, abortSignal: undefined };

  const read = async (stream) => {
    let last = null;
    const failures = [];
    const options = { stream, onError: (error) => failures.push(error), terminateOnError: true };
    for await (const message of readUIMessageStream(options)) last = message;
    assert.deepEqual(failures, []);
    return last;
  };

  assert.equal(await transport.reconnectToStream({ chatId }), null);
  const message = await read(await transport.sendMessages(sent));
  const parts = (type) => message.parts.filter((part) => part.type === type);
  const text = parts("text").map((part) => part.text).join("");
  assert.match(text, /31\.2 percent/);
  assert.ok(parts("reasoning").length > 0 && parts("dynamic-tool").length > 0);
  for (const tool of parts("dynamic-tool")) {
    assert.ok(["output-available", "output-error"].includes(tool.state), tool.state);
    assert.equal(tool.providerExecuted, true);
  }
  assert.equal(parts("step-start").length, 2);
  assert.ok(message.metadata.model && message.metadata.createdAt && message.metadata.usage.totalTokens > 0);

  // A page that is loaded again is told the same.
  const again = await read(await transport.reconnectToStream({ chatId }));
  assert.deepEqual(again, message);

  await assert.rejects(transport.sendMessages({ ...sent, messages: [] }), /messages/);
  console.log("the AI SDK,", version);
}
