// What is on the page as a request from code: at each door that would take it, as its clients write it. No DOM but for
// the part that shows it; never a key, only where one goes.

import { clock } from "./clock.js";
import { copied, make } from "./dom.js";
import { at, wantsSecret } from "./server.js";

/** Where the Responses door looks unless it is told; it looks in documents, too, and no other door does. */
const WEB = ["web"];
const SECRET = "YOUR_ACCESS_SECRET";

/**
 * The requests for an ask: `{ name, note, path, body, text }` each; `body` is what its client sends to `path`. `asked` has
 * what the page sends or `init` says: `query`, and what is set of `model`, `budget`, `max_iterations`, `sources`,
 * `collection`, `verify_with_model`, `effort`, `allowed_domains`, `max_tool_calls`, `instructions`, `format`; `follows` is
 * the id of the ask that it follows up on, and `turns` what was said before, `{ role, content }` each, once that is known.
 * `hasSecret` says that the server has one. What a door has no place for is named in its note.
 */
export function ofAsk(asked, base, hasSecret) {
  const said = ["query", "model", "budget", "max_iterations", "sources", "collection", "verify_with_model"];
  const { query, model, ...limits } = pick(asked, said);
  const { effort, follows, turns = [], instructions, format } = pick(asked, ["effort", "follows", "turns", "instructions", "format"]);
  const system = instructions ? [{ role: "system", content: instructions }] : [];
  const extension = extended(limits);
  const name = model ?? "quarry";
  const key = hasSecret ? SECRET : "none";
  const native = { query, ...(model && { model }), ...limits, stream: true, ...(hasSecret && { accessSecret: SECRET }) };
  const messages = [...turns, { role: "user", content: query }];
  const chat = {
    model: name, messages: [...system, ...messages], ...(effort && { reasoning_effort: effort }),
    ...(format && { response_format: formOfChat(format) }), ...extension,
  };
  const previous = follows && { previous_response_id: `resp_${follows}` };
  const bounds = within(asked);
  const response = {
    model: name, input: query, ...(instructions && { instructions }), ...previous, ...(effort && { reasoning: { effort } }),
    ...(format && { text: { format } }), ...bounds, ...extended(bounds.tools ? limits : { sources: WEB, ...limits }),
  };
  const shown = ({ role, content }, n) => ({ id: `m${n + 1}`, role, parts: [{ type: "text", text: content }] });
  const page = { id: "my-chat", messages: messages.map(shown), model: name, ...(instructions && { system: instructions }), ...extension };
  const run = {
    threadId: "my-thread", runId: "my-run", protocolVersion: "1.0", state: {}, tools: [], context: [],
    forwardedProps: { ...(model && { model }), ...extension },
    messages: [...system, ...messages].map((each, n) => ({ id: `m${n + 1}`, ...each })),
  };
  const all = [
    {
      name: "curl",
      note: without(asked, [...BOUNDS, "effort", "instructions", "format"]),
      path: "/ask",
      body: native,
      text: curl(`${base}/ask`, native, false),
    },
    {
      name: "OpenAI: chat",
      note: without(asked, BOUNDS, "Any client of Chat Completions, with this address; its key is the access secret, where the server has one."),
      path: "/v1/chat/completions",
      body: chat,
      text: openai(base, key, "chat.completions.create", chat, "print(answer.choices[0].message.content)"),
    },
    {
      name: "OpenAI: responses",
      note: "With background=True the answer comes at once, and the research goes on without you.",
      path: "/v1/responses",
      body: response,
      text: openai(base, key, "responses.create", response, "print(answer.output_text)"),
    },
    {
      name: "AI SDK",
      note: without(asked, [...BOUNDS, "effort", "format"], "For a page with useChat, whose messages this address takes and answers."),
      path: "/api/chat",
      body: page,
      text: useChat(base, hasSecret, page, query),
    },
    {
      name: "AG-UI",
      note: without(asked, [...BOUNDS, "effort", "format"]),
      path: "/agui",
      body: run,
      text: curl(`${base}/agui`, run, hasSecret),
    },
    {
      name: "MCP",
      note: without(
        { ...asked, "budget.tokens": asked.budget?.tokens },
        ["model", "budget.tokens", "max_iterations", "verify_with_model", ...BOUNDS, "instructions", "format"],
        inConversation(toolTakes(asked)),
      ),
      path: "/mcp",
      body: call({ question: query, ...toolTakes(asked) }),
      text: mcp(base, hasSecret),
    },
  ];
  if (!follows) return all;
  // What was said before has a name at one door; it is said again at three, and two have no place for it.
  const doors = ["/v1/responses", ...(turns.length ? ["/v1/chat/completions", "/api/chat", "/agui"] : [])];
  return all.filter(({ path }) => doors.includes(path));
}

/**
 * The requests for a run, of its record and the `guidance` that came with its task: with all bounds and knobs that it
 * has, where the door takes them.
 */
export function ofRun(record, base, hasSecret) {
  const said = ["task", "model", "models", "guidance", "budget", "sources", "collection", "config"];
  const { sources, collection, guidance, ...body } = pick(record, said);
  const from = { ...(sources && { sources }), ...(collection && { collection }) };
  const native = { ...body, ...(guidance && { guidance }), ...from };
  const budget = pick(record.budget ?? {}, ["usd", "tokens"]);
  const own = { ...(Object.keys(budget).length && { budget }), sources: WEB, ...from };
  const response = {
    model: "quarry-run", input: record.task, ...(guidance && { instructions: guidance }), background: true,
    quarry: own,
  };
  const deep = call({
    question: record.task, ...(guidance && { context: guidance }), ...toolTakes(record), effort: "deep", wait_seconds: 0,
  });
  return [
    { name: "curl", path: "/runs", body: native, text: curl(`${base}/runs`, native, hasSecret) },
    {
      name: "OpenAI: responses",
      note: "With the server's own model and knobs; reasoning={\"effort\": \"low\"}, medium or high says how deep it goes.",
      path: "/v1/responses",
      body: response,
      text: openai(base, hasSecret ? SECRET : "none", "responses.create", response, AS_IT_COMES),
    },
    {
      name: "MCP",
      note: "What a host sends that has this address. The answer has an id, with which research_result waits for the report.",
      path: "/mcp",
      body: deep,
      text: curl(`${base}/mcp`, deep, hasSecret, "application/json, text/event-stream"),
    },
  ];
}

/** What is told of a response that was begun in the background, and then its answer. */
const AS_IT_COMES = `for event in client.responses.retrieve(answer.id, stream=True):
    print(event.type)
print(client.responses.retrieve(answer.id).output_text)`;

/** What only Quarry knows, where there is any. */
function extended(quarry) {
  return Object.keys(quarry).length ? { quarry } : {};
}

/** What alone the Responses door takes: sites that the web is kept to, and how often tools may be called. */
function within({ allowed_domains: sites, sources, max_tool_calls: most }) {
  const web = { type: "web_search", filters: { allowed_domains: sites } };
  const own = sources?.includes("knowledge") ? [{ type: "file_search" }] : [];
  const tools = sites?.length ? { tools: [web, ...own, { type: "code_interpreter" }] } : {};
  return { ...tools, ...(most && { max_tool_calls: most }) };
}

/** Bounds that no other door has a place for. */
const BOUNDS = ["allowed_domains", "max_tool_calls"];

/** The note of a door, with what the ask has of these, which the door has no place for. */
function without(asked, names, note) {
  const missing = Object.keys(pick(asked, names));
  if (!missing.length) return note;
  const everywhere = missing.includes("allowed_domains") ? " It searches every site." : "";
  const lack = `This request leaves out ${missing.join(", ")}: there is no place for it here.${everywhere}`;
  return note ? `${note} ${lack}` : lack;
}

/** What MCP's tool takes of an ask or a run, as it calls that. */
function toolTakes({ budget, ...asked }) {
  const { sources, ...rest } = pick(asked, ["sources", "collection", "effort"]);
  return {
    ...(budget?.usd && { budget_usd: budget.usd }),
    ...(sources && { sources: sources.length > 1 ? "both" : sources[0] }),
    ...rest,
  };
}

/** A call of that tool, as a host sends it. */
function call(given) {
  return { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "research", arguments: given } };
}

/** How a person gets a host to call it so. */
function inConversation(given) {
  const said = Object.entries(given).map(([name, value]) => `${name} ${value}`).join(", ");
  const how = "Then ask for it in the conversation: the tool is called research.";
  return said ? `${how} What is set here is said there, too: ${said}.` : how;
}

/** A form of the answer as Chat Completions write it. */
function formOfChat({ type, ...schema }) {
  return { type, ...(Object.keys(schema).length && { json_schema: schema }) };
}

function pick(from, names) {
  const says = (value) => (value ?? null) !== null && value !== false && value !== "" && !(Array.isArray(value) && !value.length);
  return Object.fromEntries(names.filter((name) => says(from[name])).map((name) => [name, from[name]]));
}

/** A word of a shell, whatever is in it. */
function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function curl(url, body, hasSecret, accepts) {
  const secret = hasSecret ? `  -H 'authorization: Bearer ${SECRET}' \\\n` : "";
  const accept = accepts ? `  -H 'accept: ${accepts}' \\\n` : "";
  return `curl -N ${quoted(url)} \\\n  -H 'content-type: application/json' \\\n${accept}${secret}  -d ${quoted(JSON.stringify(body))}`;
}

/** A value as Python writes it: as JSON does, but for three words. */
function python(value) {
  if (typeof value === "boolean") return value ? "True" : "False";
  if (value === null) return "None";
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${python(each)}`).join(", ")}}`;
}

/** `then` is done with the `answer`. */
function openai(base, key, call, { quarry, ...body }, then) {
  const own = Object.entries(body).map(([name, value]) => `    ${name}=${python(value)},\n`).join("");
  const extra = quarry ? `    extra_body=${python({ quarry })},\n` : "";
  return `from openai import OpenAI

client = OpenAI(base_url=${JSON.stringify(`${base}/v1`)}, api_key=${JSON.stringify(key)})
answer = client.${call}(
${own}${extra})
${then}`;
}

function useChat(base, hasSecret, { id: _, messages, ...more }, query) {
  const before = messages.length > 1 ? `\n  messages: ${JSON.stringify(messages.slice(0, -1))},` : "";
  const secret = hasSecret ? `\n    headers: { authorization: "Bearer ${SECRET}" },` : "";
  return `import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport } from "ai";

const { messages, sendMessage } = useChat({${before}
  transport: new DefaultChatTransport({
    api: ${JSON.stringify(`${base}/api/chat`)},${secret}
    body: ${JSON.stringify(more)},
  }),
});
sendMessage({ text: ${JSON.stringify(query)} });`;
}

function mcp(base, hasSecret) {
  const headers = hasSecret ? { headers: { Authorization: `Bearer ${SECRET}` } } : {};
  const servers = { mcpServers: { quarry: { type: "http", url: `${base}/mcp`, ...headers } } };
  return JSON.stringify(servers, null, 2);
}

/**
 * Fills a part of a page whenever it is open; `requests(base, wantsSecret)` gives what it shows. Gives what is to be
 * called when that has changed.
 */
export function codeIn(part, requests) {
  const doors = part.querySelector("select");
  const [note, text, copy] = [".quiet", "pre", "button"].map((name) => part.querySelector(name));
  let shown = [];
  /** Whether the server wants a secret, once it was asked; null: not known. */
  let isWanted = null;
  const show = () => {
    const one = shown[Math.max(doors.selectedIndex, 0)];
    note.textContent = one?.note ?? "";
    note.hidden = !one?.note;
    if (text.textContent !== (one?.text ?? "")) text.textContent = one?.text ?? "";
  };
  const fill = () => {
    if (!part.open) return;
    shown = requests(at("").replace(/\/$/, ""), isWanted === true);
    const names = shown.map(({ name }) => name);
    if (names.join() !== [...doors.options].map((option) => option.value).join()) {
      doors.replaceChildren(...names.map((name) => make("option", "", name)));
    }
    doors.disabled = names.length < 2;
    show();
  };
  part.addEventListener("toggle", async () => {
    fill();
    if (!part.open || isWanted !== null) return;
    isWanted = await wantsSecret();
    fill();
  });
  doors.addEventListener("change", show);
  copy.addEventListener("click", async () => {
    const isCopied = await copied(text.textContent);
    // Who may not copy for a person selects what is to be copied.
    if (!isCopied) getSelection().selectAllChildren(text);
    copy.textContent = isCopied ? "Copied" : "Press Ctrl + C";
    await clock.sleep(2000);
    copy.textContent = "Copy";
  });
  return fill;
}
