// A host that starts the program of these settings, which the argument has, and asks through its pipes.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const require = createRequire(process.cwd() + "/");
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");
const { command, args } = JSON.parse(process.argv[2]).mcpServers.quarry;
assert.deepEqual([command, args[0]], ["npx", "-y"]);

// `npx` would fetch the newest; this is the one that is installed.
const [name, ...rest] = args.slice(1);
const file = join(process.cwd(), "node_modules", name, "package.json");
const { bin } = JSON.parse(readFileSync(file, "utf8"));
// It writes down which of its processes runs.
const folder = mkdtempSync(join(tmpdir(), "mcp-remote-"));
const env = { ...process.env, MCP_REMOTE_CONFIG_DIR: folder };
const program = join(dirname(file), bin[name]);
const transport = new StdioClientTransport({ command: process.execPath, args: [program, ...rest], env });
const client = new Client({ name: "quarry-tests", version: "1" });
await client.connect(transport);
const { tools } = await client.listTools();
assert.equal(tools[0].name, "research");
const asked = { name: "research", arguments: { question: "How tall is the Orrin lighthouse?" } };
const answered = await client.callTool(asked);
assert.equal(answered.structuredContent.status, "completed");
console.log(answered.content[0].text);
await client.close();
rmSync(folder, { recursive: true });
