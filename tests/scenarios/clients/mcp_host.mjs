// The Model Context Protocol's own clients, the one with a handshake and the one of both eras, against a Quarry whose
// address is the argument.
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const require = createRequire(process.cwd() + "/");
const url = new URL(process.argv[2] + "/mcp");
const question = { question: "What is six times seven?" };

/** What each of them does with the server. */
async function use(client, what) {
  const { tools } = await client.listTools();
  assert.deepEqual(tools.slice(0, 3).map((tool) => tool.name), ["research", "research_result", "research_stop"]);
  const progress = [];
  const call = (name, args, options) => client.callTool({ name, arguments: args }, ...(what.schema ? [undefined] : []), options);
  const answered = await call("research", question, { onprogress: (told) => progress.push(told) });
  assert.equal(answered.structuredContent.status, "completed");
  assert.match(answered.content[0].text, /31\.2 percent/);
  assert.ok(progress.length > 0 && progress.every((told, at) => told.progress === at + 1 && told.message), "progress");
  const { id } = answered.structuredContent;
  const again = await call("research_result", { id });
  assert.deepEqual(again.structuredContent, answered.structuredContent);
  const stopped = await call("research_stop", { id });
  assert.equal(stopped.structuredContent.status, "completed");
  const wrong = await call("research", { question: "?", effort: "most" });
  assert.ok(wrong.isError && /effort/.test(wrong.content[0].text));
  await assert.rejects(call("no_such_tool", {}), (error) => error.code === -32602);
  const { resources } = await client.listResources();
  assert.equal(resources[0].uri, "quarry://guide");
  const { resourceTemplates } = await client.listResourceTemplates();
  assert.equal(resourceTemplates.length, 3);
  const read = await client.readResource({ uri: answered.content[1].uri });
  assert.match(read.contents[0].text, /31\.2 percent/);
  await assert.rejects(client.readResource({ uri: "quarry://nowhere" }));
  const { prompts } = await client.listPrompts();
  assert.equal(prompts[0].name, "deep_research");
  const prompt = await client.getPrompt({ name: "deep_research", arguments: { question: "Why?" } });
  assert.match(prompt.messages[0].content.text, /Why\?/);
  console.log(what.name);
}

const identity = { name: "quarry-tests", version: "1" };
{
  const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
  const { StreamableHTTPClientTransport } = require("@modelcontextprotocol/sdk/client/streamableHttp.js");
  const client = new Client(identity);
  const transport = new StreamableHTTPClientTransport(url);
  await client.connect(transport);
  assert.ok(transport.sessionId);
  await client.ping();
  await use(client, { name: "MCP for JavaScript, 1", schema: true });
  await transport.terminateSession();
  await client.close();
}
{
  const { Client, StreamableHTTPClientTransport } = require("@modelcontextprotocol/client");
  for (const mode of ["legacy", "auto", { pin: "2026-07-28" }]) {
    const client = new Client(identity, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(url));
    await use(client, { name: `MCP for JavaScript, 2, ${JSON.stringify(mode)}` });
    await client.close();
  }
}
