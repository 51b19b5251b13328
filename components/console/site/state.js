// What the page shows, as a function of the events. No DOM here.

/** The state before an ask. */
export function initial() {
  return {
    phase: "idle",
    status: "",
    id: null,
    demo: false,
    persona: "",
    questions: [],
    steps: [],
    sources: [],
    answer: "",
    writing: false,
    failure: null,
    tokens: 0,
    cost: 0,
    priceKnown: true,
    resume: null,
    waitSeconds: 0,
    events: [],
  };
}

const RULES = {
  log: (state, { message }) => ({ status: message ?? state.status }),
  init: (state, data) => ({
    id: data.id ?? null,
    demo: data.languageModel === false,
    status: "Thinking about the question",
  }),
  setup_complete: (state, data) => ({ persona: data.persona ?? "", questions: data.questions ?? [] }),
  persona: (state, { persona }) => ({ persona: persona ?? state.persona }),
  research_questions: (state, { questions }) => ({ questions: questions ?? state.questions }),
  llm_request: (state, { phase }) =>
    phase === "final_synthesis" ? { answer: "", writing: true } : {},
  llm_response: (state, data) => spend(state, data),
  tools: (state, { calls = [] }) => ({ steps: [...state.steps, ...calls.map(running)] }),
  tool_result: (state, data) => toolResult(state, data),
  answer_delta: (state, { text = "" }) => ({ answer: state.answer + text, status: "Writing the answer" }),
  cost_summary: (state, data) => ({
    cost: data.totalCost ?? state.cost,
    priceKnown: data.totalCost !== null,
    tokens: data.tokenCounts?.total ?? state.tokens,
  }),
  final_answer: (state, data) => ({
    answer: data.content ?? state.answer,
    writing: false,
    sources: merge(state.sources, data.sources ?? []),
  }),
  complete: (state, { result = {}, executionTime }) => ({
    phase: "done",
    writing: false,
    status: result.stopped ? "Stopped" : `Answered in ${seconds(executionTime)}`,
  }),
  error: (state, data) => ({
    phase: "failed",
    writing: false,
    status: "This did not work",
    failure: data.error ?? "Something went wrong.",
    sources: merge(state.sources, data.evidence ?? []),
  }),
  quota_exceeded: (state, data) => ({
    phase: "waiting",
    writing: false,
    status: "The provider asks for a pause",
    waitSeconds: Math.max(0, Number(data.waitTime) || 0),
    resume: data.continuationState ?? null,
  }),
};

/** The state after an event. Events that mean nothing here change nothing but the log. */
export function reduce(state, name, data, id) {
  const change = RULES[name]?.(state, data) ?? {};
  return { ...state, ...change, events: [...state.events, { id, name, data }] };
}

/** The state when an ask begins; a resumed one keeps what is on the page. */
export function begin(state, resumed) {
  const kept = resumed ? { events: state.events, sources: state.sources } : {};
  return { ...initial(), ...kept, phase: "running", status: "Asking" };
}

/** The state after something outside the stream went wrong. */
export function failed(state, message) {
  return { ...state, phase: "failed", writing: false, status: "This did not work", failure: message };
}

function spend(state, data) {
  const used = data.response?.usage?.total_tokens ?? data.usage?.total_tokens ?? 0;
  return {
    tokens: state.tokens + used,
    cost: state.cost + (data.cost ?? 0),
    priceKnown: state.priceKnown && data.cost !== null,
  };
}

function running(call) {
  return { ...call, state: "running", output: "", duration: null };
}

function toolResult(state, data) {
  const output = parse(data.output);
  const done = { ...data, state: output.error ? "failed" : "done", result: output };
  const known = state.steps.some((step) => step.call_id === data.call_id && step.iteration === data.iteration);
  const steps = known
    ? state.steps.map((step) => (step.call_id === data.call_id && step.iteration === data.iteration ? { ...step, ...done } : step))
    : [...state.steps, done];
  return { steps, sources: merge(state.sources, found(output)) };
}

function found(output) {
  const results = output.results ?? (output.url && !output.error ? [output] : []);
  return results.filter((result) => result.url).map(({ url, title, date }) => ({ url, title, date }));
}

/** Sources by address: the first to come keeps its place. */
function merge(sources, more) {
  const known = new Set(sources.map((source) => source.url));
  const fresh = more.filter((source) => source.url && !known.has(source.url) && known.add(source.url));
  return [...sources, ...fresh];
}

/** A tool call in words. */
export function describe({ name, args = {} }) {
  if (name === "search_web") return `Searched for “${args.query ?? ""}”`;
  if (name === "scrape_web_content") return `Read ${host(args.url)}`;
  if (name === "execute_javascript") return "Ran a program";
  return `Called ${name}`;
}

/** What came of a call, in a few words. */
export function outcome({ result }) {
  if (!result) return "";
  if (result.error) return String(result.error);
  if (result.results) return `${result.results.length} results`;
  return String(result.result ?? "").split("\n")[0].slice(0, 80);
}

export function money({ cost, priceKnown, tokens }) {
  if (!tokens) return "";
  const dollars = priceKnown ? `$${cost < 0.01 ? cost.toFixed(5) : cost.toFixed(3)}` : "price unknown";
  return `${dollars} · ${tokens.toLocaleString("en")} tokens`;
}

export function host(url) {
  try {
    return new URL(url).host;
  } catch {
    return url ?? "a page";
  }
}

function seconds(ms) {
  return ms === undefined ? "no time" : ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function parse(text) {
  try {
    const value = JSON.parse(text);
    return value && typeof value === "object" ? value : {};
  } catch {
    return {};
  }
}
