// A research that takes longer than the clients of the Model Context Protocol wait for a call by themselves, 60 s. The
// argument is the address. Says `running` for each client, and waits then for as long as it takes.
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const require = createRequire(process.cwd() + "/");
const url = new URL(process.argv[2] + "/mcp");
const identity = { name: "quarry-tests", version: "1" };

async function use(client, call) {
  const first = await call("research", { question: `What is six times seven, asks ${client}?` });
  assert.equal(first.structuredContent.status, "running");
  assert.match(first.content[0].text, /research_result/);
  console.log("running");
  const { id } = first.structuredContent;
  for (;;) {
    const next = await call("research_result", { id });
    if (next.structuredContent.status === "running") continue;
    assert.equal(next.structuredContent.status, "completed");
    assert.match(next.content[0].text, /31\.2 percent/);
    return;
  }
}

async function old() {
  const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
  const { StreamableHTTPClientTransport } = require("@modelcontextprotocol/sdk/client/streamableHttp.js");
  const client = new Client(identity);
  await client.connect(new StreamableHTTPClientTransport(url));
  await use("the first", (name, args) => client.callTool({ name, arguments: args }));
  await client.close();
}

async function both(mode) {
  const { Client, StreamableHTTPClientTransport } = require("@modelcontextprotocol/client");
  const client = new Client(identity, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(url));
  await use(JSON.stringify(mode), (name, args) => client.callTool({ name, arguments: args }));
  await client.close();
}

await Promise.all([old(), both("legacy"), both({ pin: "2026-07-28" })]);
console.log("all of them were answered");
