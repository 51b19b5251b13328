// What the page shows, as a function of the events. No DOM, no clock.
//
// Tolerant of missing fields: a payload that says less shows less.

import { citation, confidence, proof } from "./evidence.js";
import { brief, inWords, isKnown, list, text, texts } from "./words.js";

/** The state before an ask. */
export function initial() {
  return {
    /** idle · running · waiting · done · stopped · failed */
    phase: "idle",
    status: "",
    id: null,
    query: "",
    /** What its request said beside the question, as `POST /ask` takes it. */
    asked: {},
    model: "",
    hasLanguageModel: true,
    /** Another model answers than was asked for: { requested, reason }. */
    fallback: null,
    /** The oldest turns of the conversation that the model has no room for. */
    turnsLeftOut: 0,
    /** The answer was made without the model: { reason }. */
    degraded: null,
    /** Research ended before it was complete: { reason }. */
    endedEarly: null,
    finish: "",
    persona: "",
    reasoning: "",
    questions: [],
    thoughts: [],
    calls: [],
    sources: [],
    answer: "",
    /** `json` where the answer is for a program; else it is Markdown. */
    format: "",
    /** The places of the answer that name a source, in its order: see `citation`. */
    citations: [],
    /** What the whole answer rests on: { uncited, unknown, unnamed, unchecked, failed, conflicts, confidence }. */
    proof: null,
    writing: false,
    final: false,
    partial: false,
    spent: { usd: 0, known: true, input: 0, output: 0, calls: 0 },
    stepCosts: [],
    milliseconds: null,
    /** The provider makes the ask wait; it goes on by itself: { seconds, why, message }. */
    pause: null,
    wait: null,
    failure: null,
    resume: null,
    /**
     * What a continuation goes on from, and the state before, until it has begun: { from, before }. If it fails earlier,
     * it can be tried again.
     */
    resuming: null,
    /** When the first and the latest event of the ask happened, as the server says; in milliseconds since 1970. */
    firstAt: null,
    lastAt: null,
    events: [],
    /** Where the events of the ask that is under way begin: those before are of the one that it goes on with. */
    first: 0,
    goesOn: false,
  };
}

/** The state when an ask begins. A resumed one keeps what was found; its events come again. */
export function begin(before, resumed) {
  if (!resumed) return { ...initial(), phase: "running", status: "Asking" };
  const { totalCost, totalTokens, costKnown = totalCost !== null } = resumed;
  const spent = totalTokens === undefined
    ? before.spent
    : { ...before.spent, usd: totalCost ?? 0, known: costKnown };
  return {
    ...before,
    // It is another ask, with an id and numbers of its own.
    id: null,
    resuming: { from: resumed, before: { ...before, resuming: null } },
    firstAt: null,
    lastAt: null,
    first: before.events.length,
    goesOn: true,
    milliseconds: null,
    phase: "running",
    status: "Resuming",
    calls: before.calls.filter((call) => call.state !== "running"),
    answer: "",
    format: "",
    citations: [],
    proof: null,
    final: false,
    finish: "",
    degraded: null,
    endedEarly: null,
    pause: null,
    wait: null,
    failure: null,
    resume: null,
    spent,
  };
}

/** The state after an event. One that means nothing here changes nothing but the log. */
export function reduce(state, name, data, number) {
  const rule = Object.hasOwn(RULES, name) ? RULES[name] : null;
  const pause = name === "log" ? state.pause : null;
  const resuming = OPENING.has(name) ? state.resuming : null;
  const at = Date.parse(text(data.timestamp)) || null;
  const now = { ...state, pause, resuming, firstAt: state.firstAt ?? at, lastAt: at ?? state.lastAt };
  return { ...now, ...rule?.(now, data), events: [...state.events, { number, name, data }] };
}

/** What comes of a continuation that is refused, too: it has not begun by these. */
const OPENING = new Set(["log", "init", "error"]);

/** The state after something outside the stream went wrong. */
export function failed(state, failure) {
  return { ...unbegun(ended(state), failure.type), phase: "failed", status: "This did not work", failure };
}

/** A continuation that failed before it began leaves the ask as it was: it can be resumed again, where it still is. */
function unbegun(state, type) {
  const { resuming } = state;
  // One that is only out of sight goes on, and is joined again.
  if (!resuming || type === "lost") return state;
  const resume = GONE.has(type) ? null : resuming.from;
  return { ...resuming.before, events: state.events, pause: null, wait: null, resume };
}

const GONE = new Set(["bad_continuation", "not_found"]);

/** A provider that refuses its key fails by the name of a server that wants its secret; the secret has a code of its own. */
function kind({ type, code }) {
  if (code === "INVALID_ACCESS_SECRET") return "unauthorized";
  return type === "unauthorized" ? "key_refused" : text(type);
}

/** The state after the person ended the wait, or left an ask that could not be stopped. */
export function stopped(state) {
  return { ...unbegun(ended(state)), phase: "stopped", status: "Stopped", wait: null };
}

/** One rule for each event that there is, in the order of the contract; null: it is not shown. */
const RULES = {
  log: null,
  init: (_, data) => ({
    id: text(data.id) || null,
    query: text(data.query),
    asked: data.asked ?? {},
    model: text(data.model),
    hasLanguageModel: data.languageModel !== false && data.demo !== true,
    fallback: data.fallback ?? null,
    turnsLeftOut: Number(data.turnsLeftOut) || 0,
    status: "Thinking about the question",
  }),
  persona: (state, data) => ({
    persona: text(data.persona) || state.persona,
    reasoning: text(data.reasoning) || state.reasoning,
  }),
  research_questions: (state, data) => ({ questions: texts(data.questions, state.questions) }),
  llm_call: null,
  llm_request: (state, data) => ({
    ...(data.phase === "final_synthesis" ? { answer: "", format: "", citations: [], writing: true } : {}),
    // What comes now is the answer, and what was written before is what it is made of.
    ...(data.phase === "final_format" ? { answer: "", format: "json", citations: [], writing: true } : {}),
    status: phaseInWords(data) ?? state.status,
  }),
  llm_response: (state, data) => (data.type === "continuation_restore" ? {} : { spent: spend(state.spent, data) }),
  tools: (state, data) => {
    const calls = list(data.calls).map((call) => ({ ...call, state: "running" }));
    return { calls: calls.reduce(put, state.calls), status: toolsInWords(calls) || state.status };
  },
  tool_result: (state, data) => {
    const result = output(data.output);
    const worked = data.ok ?? result.error === undefined;
    const call = { ...data, result, state: worked ? "done" : "failed" };
    // Whoever tells what was found tells the sources too.
    const more = data.found?.length ? [] : found(result);
    return { calls: put(state.calls, call), sources: merge(state.sources, more) };
  },
  setup_complete: (state, data) => ({
    persona: text(data.persona) || state.persona,
    questions: texts(data.questions, state.questions),
  }),
  step: (state, data) => ({ status: text(data.message) || state.status }),
  search_results: null,
  citation: (state, data) => ({ citations: cite(state.citations, citation(data)) }),
  answer_delta: (state, data) => ({ answer: state.answer + text(data.text), writing: true, status: "Writing the answer" }),
  cost_summary: (state, data) => ({ spent: summary(state.spent, data), stepCosts: list(data.stepCosts) }),
  final_answer: (state, data) => answered(state, data),
  final_response: (state, data) => answered(state, data),
  complete: (state, data) => {
    const isStopped = data.ended === "stopped" || data.result?.stopped === true;
    return {
      ...ended(state),
      phase: isStopped ? "stopped" : "done",
      status: isStopped ? "Stopped" : "Answered",
      milliseconds: data.executionTime ?? null,
      resume: isStopped && state.id ? { id: state.id } : null,
    };
  },
  error: (state, data) => {
    const message = text(data.error) || "The server gave no reason.";
    const after = failed(state, { type: kind(data), message, wait: data.waitTime });
    return {
      ...after,
      sources: merge(state.sources, list(data.evidence)),
      resume: after.resume ?? (data.type === "interrupted" && state.id ? { id: state.id } : null),
    };
  },
  quota_exceeded: (state, data) => ({
    ...ended(state),
    phase: "waiting",
    status: "Waiting for the provider",
    wait: { seconds: Math.max(0, Number(data.waitTime) || 0), message: text(data.message) },
    resume: data.continuationState ?? (state.id ? { id: state.id } : null),
    spent: data.costSummary ? { ...state.spent, usd: data.costSummary.totalCost, known: data.costSummary.costKnown } : state.spent,
  }),
  // The answer is in `final_answer` too.
  knowledge_answer: null,
  continuation: null,
  interrupt_state: null,
  search: null,
  search_digest: null,
  sources: (state, data) => ({ sources: merge(state.sources, list(data.added)) }),
  thought: (state, { id, iteration, title, text: words }) => ({
    thoughts: [...state.thoughts.filter((each) => each.id !== id), { kind: "thought", id, iteration, title: text(title), text: text(words) }],
  }),
  stage: (state, data) => ({ status: (data.state === "begun" && stageInWords(data)) || state.status }),
  waiting: (_, data) => ({
    pause: { seconds: Math.max(0, Number(data.seconds) || 0), why: text(data.why), message: text(data.message) },
    status: "Waiting for the provider",
  }),
};

function answered(state, data) {
  const sources = list(data.sources);
  return {
    answer: text(data.content) || state.answer,
    format: data.format === "json" ? "json" : "",
    citations: Array.isArray(data.citations) ? list(data.citations).map(citation) : state.citations,
    proof: { ...proof(data), confidence: confidence(data.confidence) },
    writing: false,
    final: true,
    partial: data.partial === true,
    finish: text(data.finish),
    degraded: data.degraded ?? null,
    endedEarly: data.endedEarly ?? null,
    fallback: data.fallback ?? state.fallback,
    sources: sources.length ? sources.filter(({ url }) => text(url)).map(source) : state.sources,
  };
}

/** Citations, and one more: what is told of a place again takes the place of what was told before. */
function cite(citations, fresh) {
  const at = citations.findIndex(({ start, end }) => start === fresh.start && end === fresh.end);
  return at < 0 ? [...citations, fresh] : citations.with(at, fresh);
}

/** Nothing is under way any more. */
function ended(state) {
  const calls = state.calls.map((call) => (call.state === "running" ? { ...call, state: "ended" } : call));
  return { ...state, writing: false, calls };
}

/** Calls by their id: what comes again takes its place. A provider's own id counts within its iteration. */
function put(calls, call) {
  const isSame = (each) => call.id === undefined
    ? each.call_id === call.call_id && each.iteration === call.iteration
    : each.id === call.id;
  const at = calls.findIndex(isSame);
  if (at < 0) return [...calls, call];
  const known = calls[at];
  return calls.with(at, call.state === "running" && known.state !== "running" ? known : { ...known, ...call });
}

function spend(spent, data) {
  const usage = data.response?.usage ?? data.usage ?? {};
  return {
    usd: spent.usd + (Number(data.cost) || 0),
    known: spent.known && isKnown(data.costKnown, data.cost),
    input: spent.input + (usage.prompt_tokens ?? usage.input_tokens ?? 0),
    output: spent.output + (usage.completion_tokens ?? usage.output_tokens ?? 0),
    calls: spent.calls + 1,
  };
}

function summary(spent, { totalCost, costKnown, tokenCounts = {}, stepCosts }) {
  return {
    usd: totalCost ?? spent.usd,
    known: totalCost === undefined ? spent.known : isKnown(costKnown, totalCost),
    input: tokenCounts.input ?? spent.input,
    output: tokenCounts.output ?? spent.output,
    calls: list(stepCosts).length || spent.calls,
  };
}

function found(result) {
  if (Array.isArray(result.results)) return list(result.results);
  return result.url && result.error === undefined ? [result] : [];
}

/**
 * Sources by address: the first to come keeps its place, and learns what others know of it. Those of a final
 * answer are not merged: there each has the number that the answer calls it by.
 */
function merge(sources, more) {
  const all = [...sources];
  const places = new Map(all.map(({ url }, at) => [key(url), at]));
  for (const data of more) {
    if (!text(data.url)) continue;
    const fresh = source(data);
    const at = places.get(key(data.url)) ?? all.length;
    const old = all[at];
    places.set(key(data.url), at);
    all[at] = old ? { ...old, n: fresh.n ?? old.n, title: old.title || fresh.title, date: old.date || fresh.date } : fresh;
  }
  return all;
}

function source({ n, url, title, date, description }) {
  return { n, url, title: text(title), date: text(date), description: text(description) };
}

function key(url) {
  try {
    const address = new URL(url);
    address.hash = "";
    return address.href.replace(/\/$/, "");
  } catch {
    return url;
  }
}

function phaseInWords({ phase, iteration }) {
  switch (phase) {
    case "initial_setup": return "Thinking about the question";
    case "planning": return "Planning the research";
    case "tool_iteration": return iteration > 1 ? "Deciding what is still missing" : "Deciding where to look";
    case "search_summary": return "Summing up what was found";
    case "final_synthesis": return "Writing the answer";
    case "final_format": return "Putting the answer into its form";
    case "citation_check": return "Checking the citations";
    default: return null;
  }
}

function stageInWords({ name, iteration }) {
  switch (name) {
    case "setup": return "Thinking about the question";
    case "planning": return "Planning the research";
    case "research": return iteration > 1 ? "Looking for what is still missing" : "Researching";
    case "answer": return "Writing the answer";
    case "retrieve": return "Looking in the documents";
    case "generate": return "Writing the answer";
    case "citations": return "Checking the citations";
    default: return null;
  }
}

/** Milliseconds from the first event of an ask to the latest, as the server says; null where it does not. */
export function lasted({ firstAt, lastAt }) {
  return firstAt === null ? null : lastAt - firstAt;
}

/** Whether tokens and costs are worth showing: rules use none. */
export function hasCosts({ hasLanguageModel, spent }) {
  return hasLanguageModel || spent.input + spent.output > 0 || !spent.known;
}

/** What a person should know of how the answer was made, one sentence each. */
export function remarks({ model, hasLanguageModel, fallback, turnsLeftOut, degraded, endedEarly, finish }) {
  const because = (reason) => (text(reason) ? `: ${reason}` : "");
  return [
    fallback && `Answered by ${model} instead of ${text(fallback.requested) || "the model asked for"}${because(fallback.reason)}.`,
    turnsLeftOut > 0 && leftOut(turnsLeftOut),
    degraded && `Answered without the language model${because(degraded.reason)}.`,
    !hasLanguageModel && !fallback && !degraded
      && "Quoted by local:extractive, without a language model. Choose a model in Options for a written answer.",
    endedEarly && `Research ended early${because(endedEarly.reason)}.`,
    !(endedEarly && finish === "broken") && Object.hasOwn(FINISHES, finish) && FINISHES[finish],
  ].filter(Boolean).map((words) => words.replace(/\.\.$/, "."));
}

function leftOut(turns) {
  return turns === 1
    ? "The oldest turn of the conversation was left out: the model has no room for it."
    : `The ${turns} oldest turns of the conversation were left out: the model has no room for them.`;
}

const FINISHES = {
  length: "It reached its length limit.",
  budget: "The budget was used up before the research was complete.",
  filter: "The provider’s content filter held the answer back.",
  broken: "The provider stopped in the middle of the answer.",
  provider_error: "The provider failed before it wrote an answer.",
};

function toolsInWords(calls) {
  if (calls.length > 1) return `Looking in ${calls.length} places at once`;
  return calls.length ? describe(calls[0]) : "";
}

/** A tool call in words, as the tool says them; its name where a log has none. */
export function describe({ name, line }) {
  return text(line) || `Calling ${text(name) || "a tool"}`;
}

/** What came of a call, in a few words. */
export function outcome({ state, result }) {
  if (state === "running") return "running";
  if (state === "ended" || !result) return "not finished";
  if (result.error !== undefined) return "failed";
  if (Array.isArray(result.results)) return result.results.length === 1 ? "1 result" : `${result.results.length} results`;
  if (typeof result.content === "string") return `${result.content.length.toLocaleString("en")} characters`;
  const value = result.result === undefined ? text(result.text) : inWords(result.result);
  return brief(value.split("\n")[0], 60);
}

function output(value) {
  if (value && typeof value === "object") return value;
  try {
    const parsed = JSON.parse(value);
    return parsed && typeof parsed === "object" ? parsed : { result: parsed };
  } catch {
    return { text: text(value) };
  }
}
