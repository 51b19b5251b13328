// A host with the settings that the argument has, for servers that are spoken to over HTTP.
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const require = createRequire(process.cwd() + "/");
const { Client, StreamableHTTPClientTransport } = require("@modelcontextprotocol/client");
const { type, url, headers } = JSON.parse(process.argv[2]).mcpServers.quarry;
assert.equal(type, "http");
const client = new Client({ name: "quarry-tests", version: "1" });
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
const asked = { name: "research", arguments: { question: `What did "O'Hara's" bridge cost?` } };
const answered = await client.callTool(asked);
console.log(answered.content[0].text);
await client.close();
