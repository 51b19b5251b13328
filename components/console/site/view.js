// Puts a state on the page. Each part is drawn again only when what it shows has changed.

import { anchor, render } from "./markdown.js";
import { block } from "./json.js";
import { hasCosts, remarks } from "./state.js";
import { clockTime, dollars, duration, host, isKnown, tokens } from "./words.js";
import { timeline } from "./timeline.js";
import { notice } from "./notice.js";
import { proof } from "./proof.js";
import { quotations } from "./quotation.js";
import { log } from "./log.js";
import { make, text } from "./dom.js";

const $ = (id) => document.getElementById(id);
const drawn = new Map();
const keepQuotation = quotations($("answer"));

/** Draws a state. */
export function draw(state) {
  const { phase, answer, sources, calls, thoughts, spent } = state;
  const busy = phase === "running" || phase === "waiting";
  const focused = document.activeElement;
  document.body.dataset.phase = phase;
  document.body.dataset.answered = String(Boolean(answer));
  $("work").hidden = phase === "idle";
  $("ask").hidden = busy;
  $("stop").hidden = !busy;
  text("status", state.status);
  text("used", spent.calls ? tokens(spent) : "–");
  text("cost", spent.calls ? dollars(spent) : "–");
  for (const id of ["used", "cost"]) $(id).parentElement.hidden = !hasCosts(state);
  part("strip", [calls, phase], () => strip(calls, busy));
  part("notice", [state.pause, state.wait, state.failure, state.resume, phase], () => notice(state, $("notice")));
  part("answer", [answer, state.format, state.citations, state.writing, phase, state.finish], () => drawAnswer(state));
  part("proof", [state.citations, state.proof], () => proof(state, $("proof")));
  part("sources", [sources, state.final, state.citations], () => drawSources(state));
  part("plan", [state.persona, state.questions], () => plan(state));
  part("timeline", [calls, thoughts], () => timeline(thoughts, calls, $("timeline")));
  part("costs", [state.stepCosts, hasCosts(state)], () => costs(hasCosts(state) ? state.stepCosts : []));
  part("log", [state.events], () => log(state.events));
  $("research-part").hidden = $("plan").hidden && !calls.length && !thoughts.length;
  title(state);
  // What had the focus may be hidden or gone by now.
  const now = document.activeElement;
  const isLost = now === document.body || !now?.checkVisibility();
  if (focused !== document.body && isLost) $("progress").focus({ preventScroll: true });
}

/** Shows the time that an ask has taken so far. */
export function drawElapsed(ms, isOver) {
  text("elapsed", isOver ? duration(ms) : clockTime(ms / 1000));
}

/** Shows the time until an ask goes on. */
export function drawCountdown(seconds) {
  const element = $("countdown");
  if (element) element.textContent = clockTime(seconds);
}

function part(name, inputs, redraw) {
  const before = drawn.get(name);
  if (before?.every((input, at) => input === inputs[at])) return;
  drawn.set(name, inputs);
  redraw();
}

function title({ phase, query }) {
  const marks = { running: "… ", waiting: "… ", done: "✓ ", failed: "! " };
  const value = query ? `${marks[phase] ?? ""}${query.slice(0, 60)} – Quarry` : "Quarry";
  if (document.title !== value) document.title = value;
}

/** One block for each tool call, as wide as it took long. */
function strip(calls, busy) {
  const blocks = calls.map(({ state, iteration, duration: ms = 0 }, at) => {
    const block = make("span");
    block.dataset.state = state;
    block.style.flexGrow = String(1 + Math.log1p(ms / 100));
    if (at && calls[at - 1].iteration !== iteration) block.className = "next";
    return block;
  });
  if (busy && !calls.some((call) => call.state === "running")) {
    const now = make("span");
    now.dataset.state = "thinking";
    blocks.push(now);
  }
  $("strip").replaceChildren(...blocks);
}

function drawAnswer(state) {
  const { answer, format, citations, writing, phase } = state;
  const notes = remarks(state);
  $("answer-part").hidden = !answer;
  const element = $("answer");
  element.classList.toggle("writing", writing && phase === "running");
  element.setAttribute("aria-busy", String(writing));
  // A program's answer has no markers: what it rests on stands behind it.
  if (format === "json") render(block(answer), element);
  else render(answer, element, citations);
  keepQuotation(citations);
  $("take").hidden = !answer || writing;
  $("follow").hidden = !answer || phase !== "done";
  $("answer-note").hidden = !answer || writing || !notes.length;
  text("answer-note", notes.join(" "));
}

/** Sources have numbers from when the answer has given them some: those by which it calls them. */
function drawSources({ sources, citations, final }) {
  const cited = new Set(final ? citations.map(({ n }) => n) : []);
  cited.delete(null);
  const isCited = ({ n }) => cited.has(n);
  const used = cited.size ? sources.filter(isCited) : sources;
  const unused = sources.filter((source) => !used.includes(source));
  $("sources-part").hidden = !sources.length;
  $("sources").classList.toggle("numbered", cited.size > 0);
  $("unused").hidden = $("unused-title").hidden = !unused.length;
  text("sources-title", cited.size ? "Sources" : "Sources found");
  $("sources").replaceChildren(...used.map((source) => sourceItem(source, isCited(source))));
  $("unused").replaceChildren(...unused.map((source) => sourceItem(source, false)));
}

function sourceItem({ n, url, title: name, date }, isNumbered) {
  const item = make("li");
  if (isNumbered) item.value = n;
  const link = anchor(url) ?? make("span");
  link.textContent = name || host(url);
  item.append(link, make("small", "", [host(url), date].filter(Boolean).join(" · ")));
  return item;
}

function plan({ persona, questions }) {
  $("plan").hidden = !persona && !questions.length;
  text("persona", persona);
  $("questions").replaceChildren(...questions.map((question) => make("li", "", question)));
}

function costs(steps) {
  $("costs").hidden = !steps.length;
  const rows = steps.map((step) => {
    const row = make("tr");
    const cell = (value) => make("td", "right", value);
    const name = step.description || step.stepName || step.phase || "";
    row.append(
      make("td", "", name[0]?.toUpperCase() + name.slice(1)),
      cell(count(step.inputTokens)),
      cell(count(step.outputTokens)),
      cell(duration(step.duration) || "–"),
      cell(isKnown(step.costKnown, step.cost) ? dollars({ usd: step.cost, known: true }).slice(1) : "unknown"),
    );
    return row;
  });
  $("step-costs").replaceChildren(...rows);
}

function count(value) {
  return typeof value === "number" ? value.toLocaleString("en") : "–";
}
