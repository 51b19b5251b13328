// Puts a run on the page. Each part is drawn again only when what it shows has changed.

import { conflict } from "../conflict.js";
import { make, text } from "../dom.js";
import { log } from "../log.js";
import { rows } from "../rows.js";
import { clockTime, duration, when } from "../words.js";
import { nodeIn } from "./node.js";
import { drawCountdown, noticeOf } from "./notice.js";
import { reportIn } from "./report.js";
import { cost, judged, status } from "./sentences.js";
import { answered, hasEnded, standing, waits } from "./state.js";
import { treeIn } from "./tree.js";

const $ = (id) => document.getElementById(id);

/** Draws runs, one at a time. `onFork(number)` is called with the event to fork after. */
export function runIn(onFork) {
  let state = null;
  /** Whether a person has chosen a question; until then the one that is under way is shown. */
  let isChosen = false;
  let noticed = "";
  const panel = nodeIn($("node"), onFork);
  const report = reportIn($("report"), $("outline"));
  const showNode = (id) => panel.draw(state.nodes.get(id), state.sources);
  const tree = treeIn($("tree"), (id, isByPerson) => {
    isChosen ||= isByPerson;
    showNode(id);
  }, () => panel.focus());

  // In a narrow window it stands below the tree, perhaps out of sight.
  $("tree").addEventListener("click", ({ target }) => {
    if (target.closest(".line") && !target.closest(".twist")) panel.show();
  });
  $("node").addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    tree.focus();
  });

  function questions() {
    const { nodes, changed } = state;
    tree.draw(nodes, changed.nodes);
    const under = !isChosen && latest(changed.nodes);
    if (under && under !== tree.chosen()) tree.choose(under);
    else if (tree.chosen() === null && nodes.size) tree.choose(state.root ?? nodes.keys().next().value);
    else if (changed.nodes.has(tree.chosen())) showNode(tree.chosen());
    const { resolved, all } = answered(state);
    const pass = state.pass ? ` · ${judged(state.pass)}` : "";
    text("tally", all ? `${resolved} of ${all} answered${state.round ? ` · round ${state.round}` : ""}${pass}` : "");
  }

  /** The question that was taken up last, of those that have changed. */
  function latest(ids) {
    const running = [...ids].map((id) => state.nodes.get(id)).filter((node) => node?.state === "running" && node.doing !== "waiting for its sub-questions");
    return running.sort((one, other) => other.last - one.last)[0]?.id ?? null;
  }

  function head(phase) {
    const { record, task, doing } = state;
    document.body.dataset.phase = phase;
    document.body.dataset.trouble = state.trouble?.type ?? "";
    text("run-task", task || record?.task || "");
    const facts = [
      state.model || record?.model,
      record && `started ${when(record.started_at)}`,
      !state.hasLanguageModel && "without a language model",
    ];
    text("run-about", facts.filter(Boolean).join(" · "));
    if (record?.forked_from) {
      const link = make("a", "", "another run");
      link.href = `#${record.forked_from}`;
      $("run-about").append(" · forked from ", link);
    }
    text("status", state.trouble ? "" : phase === "running" && doing ? `${status(phase)}: ${doing.toLowerCase()}` : status(phase));
    const ended = hasEnded(phase);
    const shown = {
      guide: !ended && record, abort: !ended && record, fork: record && state.last,
      forget: ended, sofar: record && phase !== "completed",
    };
    for (const button of $("actions").children) button.hidden = !shown[button.dataset.action] || Boolean(state.trouble);
    const marks = { running: "… ", queued: "… ", waiting: "… ", completed: "✓ ", failed: "! " };
    document.title = `${marks[phase] ?? ""}${(task || record?.task || "Run").slice(0, 60)} – Quarry`;
  }

  function notice(phase) {
    const { record, message, partial, reason, trouble } = state;
    const waiting = waits(state);
    const says = JSON.stringify([phase, waiting, message, partial, reason, record?.message, record?.partial, trouble]);
    if (says === noticed) return;
    noticed = says;
    const of = noticeOf(phase, state, waiting);
    $("notice").hidden = !of;
    $("notice").dataset.kind = of?.kind ?? "";
    // What somebody has to know who hears the page.
    if (trouble) $("notice").setAttribute("role", "alert");
    else $("notice").removeAttribute("role");
    $("notice").replaceChildren(...(of?.parts ?? []));
  }

  function bounds() {
    const { record, spent } = state;
    const config = record?.config;
    if (!config) return;
    const { budget = {} } = record;
    const hasCosts = state.hasLanguageModel || spent.tokens > 0 || !spent.known;
    const time = (ms) => (hasEnded(standing(state)) ? duration(ms) : clockTime(ms / 1000));
    const money = (usd) => cost({ ...spent, usd });
    const all = [
      ["Rounds", state.round, config.max_rounds],
      ["Depth", state.depth, config.max_depth],
      ["Questions", state.nodes.size, config.max_nodes, true],
      ["Sources", state.found.size, config.max_sources, true],
      ["Queries", state.queries, null],
      ["Time", state.workedNow, config.timeouts.run * 1000, true, time],
      ...(hasCosts ? [["Cost", spent.usd, budget.usd, true, money], ["Tokens", spent.tokens, budget.tokens, true]] : []),
    ];
    rows($("bounds"), all.map(([name, value, most, isHard = false, words = (number) => number.toLocaleString("en")]) => {
      const share = most ? Math.min(1, value / most) : null;
      const limit = most ? (name === "Time" ? clockTime(most / 1000) : name === "Cost" ? `$${most.toLocaleString("en")}` : words(most)) : most === 0 ? "0" : "";
      return { name, value: words(value), limit, share, isFull: isHard && share === 1 };
    }), bound);
  }

  function settings() {
    const { record } = state;
    if (!record?.config) return;
    const flat = (values, path) => Object.entries(values).flatMap(([name, value]) =>
      value && typeof value === "object" ? flat(value, `${path}${name}.`) : [{ name: `${path}${name}`, value: String(value) }]);
    const policies = Object.entries(record.policies ?? {}).map(([name, version]) => ({ name: `policy ${name}`, value: `version ${version}` }));
    rows($("settings").querySelector("tbody"), [...flat(record.budget ?? {}, "budget."), ...flat(record.config, ""), ...policies], ({ name, value }) => {
      const row = make("tr");
      const th = make("th");
      th.scope = "row";
      th.append(make("code", "", name));
      row.append(th, make("td", "right", value));
      return row;
    });
  }

  function drawReport() {
    const { sofar, report: whole, citations, isWriting, confidence } = state;
    const markdown = whole || sofar?.markdown || "";
    $("report-part").hidden = !markdown;
    $("downloads").hidden = isWriting || !markdown;
    // Rules would not know what the report says.
    $("follow").hidden = state.phase !== "completed" || !whole || !state.hasLanguageModel;
    $("follow").href = `../#follow=run_${state.id}`;
    text("report-title", whole ? "Report" : "Report so far");
    text("report-note", whole && confidence ? `Confidence ${confidence.level} (${confidence.score.toFixed(2)} of 1)` : "");
    report.draw(markdown, whole ? citations : sofar?.citations ?? [], isWriting);
  }

  return {
    /** Shows another run from now on. */
    open(fresh) {
      state = fresh;
      isChosen = false;
      noticed = "";
      tree.clear();
      $("node").hidden = true;
      $("complaint").textContent = "";
      $("events").replaceChildren();
      for (const part of ["run", "report", "tree"]) state.changed.parts.add(part);
    },
    /** Draws what has changed of it. */
    draw() {
      const { changed } = state;
      const focused = document.activeElement;
      const phase = standing(state);
      if (changed.nodes.size || changed.parts.has("tree")) questions();
      if (changed.parts.has("report")) drawReport();
      if (changed.parts.has("run")) {
        head(phase);
        notice(phase);
        bounds();
        settings();
        rows($("conflicts-part").querySelector("ul"), state.conflicts, conflict);
        $("conflicts-part").hidden = !state.conflicts.length;
        rows($("guidance-part").querySelector("ol"), state.guidance, said);
        $("guidance-part").hidden = !state.guidance.length;
        $("research-part").hidden = !state.nodes.size;
        log(state.events);
      }
      state.changed = { nodes: new Set(), parts: new Set() };
      const now = document.activeElement;
      const isLost = now === document.body || !now?.checkVisibility();
      if (focused !== document.body && isLost) $("progress").focus({ preventScroll: true });
    },
    /** Shows how time passes: what the run has worked, and what it waits. */
    tick(worked, now) {
      state.workedNow = worked;
      bounds();
      drawCountdown(waits(state)?.until, now);
    },
  };
}

function bound({ name, value, limit, share, isFull }) {
  const row = make("div");
  const dd = make("dd", "", value);
  if (limit) dd.append(make("span", "quiet", ` of ${limit}`));
  row.append(make("dt", "", name), dd);
  if (share === null) return row;
  const bar = row.appendChild(make("span", "share"));
  bar.setAttribute("aria-hidden", "true");
  bar.style.setProperty("--share", String(share));
  bar.dataset.full = String(isFull);
  return row;
}

function said({ text: words, at }) {
  const item = make("li");
  const line = make("span", "", words);
  line.dir = "auto";
  item.append(line, make("small", "", when(at)));
  return item;
}
