// What is known of a run, from its events and its record. No DOM, no clock.
//
// A run has thousands of events, so they change one state in place; `changed` says what of it is to be drawn again.
// Tolerant of missing fields: a payload that says less shows less.

import { confidence, conflict } from "../evidence.js";
import { list, text, texts } from "../words.js";

/** A run of which nothing is known but its name. */
export function begin(id) {
  return {
    id,
    /** The number of the last event. */
    last: 0,
    /** What the server says of it beside its events; null before it was asked. */
    record: null,
    /** queued · running · waiting · completed · failed · aborted, by its events alone. */
    phase: "queued",
    /** What is going on, in a few words. */
    doing: "",
    task: "",
    model: "",
    hasLanguageModel: true,
    root: null,
    round: 0,
    depth: 0,
    nodes: new Map(),
    /** Sources by their names in the run, and the names of all that were found. */
    sources: new Map(),
    found: new Set(),
    conflicts: [],
    guidance: [],
    /** What was said before it began; it came with the task. */
    wish: "",
    failures: [],
    /** What was judged of the last round. */
    pass: null,
    report: "",
    isWriting: false,
    confidence: null,
    spent: { usd: 0, known: true, tokens: 0, unsettled: 0 },
    queries: 0,
    cached: 0,
    waiting: null,
    partial: false,
    reason: "",
    message: "",
    /** Milliseconds that it worked, as its last event says. */
    worked: null,
    events: [],
    changed: { nodes: new Set(), parts: new Set() },
  };
}

/** What the server says of the run now. */
export function learn(state, { nodes: _, citations, ...record }) {
  state.record = record;
  state.task ||= text(record.task);
  state.model ||= text(record.model);
  touch(state, "run");
  for (const source of list(citations)) if (!state.sources.has(source.citation_id)) state.sources.set(source.citation_id, source);
  if (citations) for (const id of state.nodes.keys()) state.changed.nodes.add(id);
}

/** Whether there are sources of which events told no more than that they were left out. */
export function hasUnknown({ sources, found }) {
  for (const id of found) if (!sources.has(id)) return true;
  return false;
}

/** Where the run stands: until all is read that the server has, by what the server says. */
export function standing(state) {
  const { record } = state;
  if (!record) return state.last ? state.phase : "loading";
  if (state.last >= record.sequence && state.last) return state.phase;
  return record.status === "queued" && record.waiting ? "waiting" : text(record.status);
}

/** What a run waits for, as its last event or else its record says: `{ reason, until, hint }`; null: nothing. */
export function waits({ waiting, record }) {
  return waiting ?? (record?.waiting ? waitOf(record.waiting) : null);
}

function waitOf(data) {
  return { reason: text(data?.reason), until: text(data?.until) || null, hint: text(data?.hint) };
}

/** Whether nothing more comes unless somebody does something. */
export function isStill({ phase, waiting }) {
  return ENDS.has(phase) || (phase === "waiting" && !waiting?.until);
}

const ENDS = new Set(["completed", "failed", "aborted"]);

/** Whether it has ended, by where it stands. */
export function hasEnded(phase) {
  return ENDS.has(phase);
}

/** Takes in an event. One that means nothing here changes nothing but the log. */
export function take(state, name, data, number) {
  state.events.push({ number, name, data });
  if (number !== null) state.last = number;
  if (Number.isInteger(data.round)) state.round = data.round;
  const node = text(data.node_id) ? nodeOf(state, data.node_id) : null;
  if (node) {
    node.last = number ?? node.last;
    node.first ??= number;
    state.changed.nodes.add(node.id);
  }
  const rule = Object.hasOwn(RULES, name) ? RULES[name] : null;
  rule?.(state, data, node ?? newNode(""));
  touch(state, "run");
}

function touch(state, part) {
  state.changed.parts.add(part);
}

function nodeOf(state, id) {
  let node = state.nodes.get(id);
  if (!node) {
    node = newNode(id);
    state.nodes.set(id, node);
    touch(state, "tree");
  }
  return node;
}

function newNode(id) {
  return {
    id, parent: null, children: [], depth: 0, question: "",
    /** pending · running · resolved · unresolved */
    state: "pending",
    reason: "", message: "", visits: 0, doing: "", score: null,
    queries: [], sources: [], dropped: [], findings: [], rejected: 0, byRules: false,
    sufficiency: null, fromChildren: false, droppedParts: [], failures: [], conflicts: [],
    first: null, last: null,
  };
}

/** One rule for each event that there is, in the order of the contract; null: it is not shown. */
const RULES = {
  run_started: (state, data) => {
    const { task, model, language_model: hasModel, root_node_id: root } = data;
    Object.assign(state, { task: text(task), model: text(model), hasLanguageModel: hasModel !== false, root: text(root) });
    goOn(state, "Starting");
    nodeOf(state, state.root).question = state.task;
    state.changed.nodes.add(state.root);
  },
  run_completed: (state, data) => {
    end(state, "completed", data);
    Object.assign(state, { partial: data.partial === true, reason: text(data.reason) });
    state.confidence = confidence(data.confidence) ?? state.confidence;
    touch(state, "report");
  },
  run_failed: (state, data) => {
    breakOff(state, "failed", data);
    state.message = text(data.message);
  },
  run_aborted: (state, data) => breakOff(state, "aborted", data),
  round_started: (state) => goOn(state, `Round ${state.round} begins`),
  round_completed: (state) => goOn(state, "Judging what is still open"),
  node_started: (state, data, node) => {
    place(state, node, text(data.parent_id) || null, Number(data.depth) || 0);
    Object.assign(node, {
      question: text(data.question) || node.question, visits: Number(data.attempt) || 1,
      state: "running", reason: "", message: "", doing: "choosing queries",
    });
    goOn(state, "Choosing queries");
  },
  node_resolved: (state, data, node) => settle(node, "resolved", data),
  node_unresolved: (state, data, node) => settle(node, "unresolved", data),
  queries_generated: (state, data, node) => {
    const count = texts(data.queries, []).length;
    node.doing = count === 1 ? "searching" : `searching for ${count} things`;
    goOn(state, "Searching");
  },
  query_executed: (state, data, node) => {
    state.queries += 1;
    node.queries.push({
      query: text(data.query), rule: text(data.rule), attempt: Number(data.attempt) || 1,
      results: Number(data.results) || 0, passages: Number(data.new_passages) || 0, error: text(data.error),
    });
  },
  query_skipped_cached: (state, data, node) => {
    state.cached += 1;
    const [sameAs, fromRun] = [text(data.same_as), text(data.from_run_id)];
    node.queries.push({ query: text(data.query), rule: "cached", sameAs, fromRun, age: Number(data.age) || 0 });
  },
  sources_ranked: (state, data, node) => {
    const ranked = list(data.sources).filter(({ citation_id: id }) => text(id));
    for (const source of ranked) {
      state.sources.set(source.citation_id, source);
      state.found.add(source.citation_id);
    }
    // What was read before is not ranked again.
    node.sources = [...new Set([...ranked.map(({ citation_id: id }) => id), ...node.sources])];
    node.dropped = list(data.dropped).map(({ citation_id: id, reason }) => ({ id: text(id), reason: text(reason) }));
    for (const { id } of node.dropped) state.found.add(id);
    node.doing = "reading what was found";
    goOn(state, "Reading");
  },
  synthesis_completed: (state, data, node) => {
    for (const found of list(data.findings)) {
      // One of before may rest on more sources now.
      const at = node.findings.findIndex(({ finding_id: id }) => id === found.finding_id);
      if (at < 0) node.findings.push(found);
      else node.findings[at] = found;
    }
    node.rejected += Number(data.rejected_snippets) || 0;
    node.doing = "judging";
    goOn(state, "Judging");
  },
  node_sufficiency_evaluated: (state, data, node) => {
    node.sufficiency = data.sufficiency && typeof data.sufficiency === "object" ? data.sufficiency : null;
    node.fromChildren = data.from_children === true;
    if (typeof node.sufficiency?.score === "number") node.score = node.sufficiency.score;
  },
  pass_sufficiency_evaluated: (state, data) => {
    state.pass = {
      gaps: texts(data.critical_gaps, []), rationale: text(data.rationale),
      stop: text(data.stop), sufficient: data.sufficient === true,
    };
    if (state.pass.stop) goOn(state, "Writing the report");
  },
  node_decomposed: (state, data, node) => {
    for (const { node_id: id, question } of list(data.children)) {
      if (!text(id)) continue;
      const child = nodeOf(state, id);
      child.question = text(question);
      place(state, child, node.id, node.depth + 1);
      state.changed.nodes.add(id);
    }
    node.droppedParts.push(...list(data.dropped));
    node.doing = "waiting for its sub-questions";
    goOn(state, "Splitting the question");
  },
  report_generated: (state, data) => {
    state.isWriting = false;
    state.confidence = confidence(data.confidence);
    touch(state, "report");
  },
  report_delta: (state, data) => {
    // Another call of the model has other words: those before do not count.
    if (data.anew === true) state.report = "";
    state.report += text(data.text);
    state.isWriting = true;
    goOn(state, "Writing the report");
    touch(state, "report");
  },
  cost_updated: (state, data) => {
    state.spent = {
      usd: Number(data.cost) || 0, known: data.cost_known !== false,
      tokens: Number(data.tokens) || 0, unsettled: Number(data.unsettled_calls) || 0,
    };
  },
  conflict_found: (state, data, node) => {
    const found = { ...conflict(data.conflict ?? {}, data.explained_by), findings: texts(data.finding_ids, []) };
    const at = state.conflicts.findIndex((it) => isSame(it, found));
    if (at < 0) {
      state.conflicts.push(found);
      node.conflicts.push(found);
      return;
    }
    // Told again, as what explains it was found later, perhaps by another node: it takes the first telling's place.
    state.conflicts[at] = found;
    for (const [id, each] of state.nodes) {
      const place = each.conflicts.findIndex((it) => isSame(it, found));
      if (place < 0) continue;
      each.conflicts[place] = found;
      state.changed.nodes.add(id);
    }
  },
  guidance_received: (state, data) => {
    if (!state.round) state.wish = text(data.text);
    state.guidance.push({ text: text(data.text), at: text(data.at) });
  },
  run_waiting: (state, data) => Object.assign(state, { phase: "waiting", waiting: waitOf(data.waiting) }),
  run_resumed: (state, data) => {
    goOn(state, "Continuing");
    // A fork was begun as another run: what it has of its own comes here.
    if (data.task) {
      state.task = text(data.task);
      nodeOf(state, state.root).question = state.task;
      state.changed.nodes.add(state.root);
    }
    if (data.model) state.model = text(data.model);
    // A run that shares the beginning of another may share its end, too: the report is written anew.
    Object.assign(state, { report: "", isWriting: false, confidence: null, partial: false, reason: "", message: "", worked: null });
    touch(state, "report");
    // What the end cut off is open again.
    for (const node of state.nodes.values()) {
      if (!CUT_OFF.has(node.reason)) continue;
      Object.assign(node, { state: "pending", reason: "", message: "" });
      state.changed.nodes.add(node.id);
    }
  },
  step_failed: (state, data, node) => {
    const failure = {
      step: text(data.step), message: text(data.message),
      attempts: Number(data.attempts) || 1, fallback: text(data.fallback),
    };
    state.failures.push(failure);
    node.failures.push(failure);
  },
  checkpoint_saved: null,
};

// Whether two are between the same quotations, whichever is named first.
function isSame(one, other) {
  const key = (it) => JSON.stringify([it.one, it.other].map(({ url, quote }) => [url, quote]).sort());
  return key(one) === key(other);
}

const CUT_OFF = new Set(["aborted", "timeout", "budget"]);

function goOn(state, doing) {
  Object.assign(state, { phase: "running", doing, waiting: null });
}

function end(state, phase, { summary_metrics: metrics }) {
  Object.assign(state, { phase, doing: "", waiting: null, isWriting: false });
  if (typeof metrics?.latency === "number") state.worked = metrics.latency;
  if (typeof metrics?.cost === "number") {
    const { cost: usd, cost_known: known, tokens = 0, unsettled_calls: unsettled = 0 } = metrics;
    state.spent = { usd, known: known !== false, tokens, unsettled };
  }
  // Nothing is under way any more.
  for (const node of state.nodes.values()) {
    if (node.state !== "running") continue;
    Object.assign(node, { state: "pending", doing: "" });
    state.changed.nodes.add(node.id);
  }
}

/** Ends without a report: what was told of one is none. */
function breakOff(state, phase, data) {
  end(state, phase, data);
  state.report = "";
  touch(state, "report");
}

function settle(node, as, { resolution_reason: reason, message, score }) {
  Object.assign(node, { state: as, reason: text(reason), message: text(message), doing: "" });
  if (typeof score === "number") node.score = score;
}

function place(state, node, parent, depth) {
  node.depth = depth;
  state.depth = Math.max(state.depth, depth);
  if (node.parent !== null || parent === null) return;
  // No question is a part of itself, by whatever way.
  for (let above = parent; above !== null; above = state.nodes.get(above)?.parent ?? null) if (above === node.id) return;
  node.parent = parent;
  const siblings = nodeOf(state, parent).children;
  if (!siblings.includes(node.id)) siblings.push(node.id);
  touch(state, "tree");
}

/** How many questions are answered, and how many there are. */
export function answered({ nodes }) {
  let resolved = 0;
  for (const node of nodes.values()) resolved += node.state === "resolved" ? 1 : 0;
  return { resolved, all: nodes.size };
}
