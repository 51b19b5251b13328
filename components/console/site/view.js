// Puts a state on the page. Each part is redrawn only when what it shows has changed.

import { describe, host, money, outcome } from "./state.js";
import { link, render } from "./markdown.js";

const $ = (id) => document.getElementById(id);
const drawn = new Map();

/** Draws a state. */
export function draw(state) {
  document.body.dataset.phase = state.phase;
  const busy = state.phase === "running" || state.phase === "waiting";
  $("bar").hidden = $("work").hidden = state.phase === "idle";
  $("ask").disabled = busy;
  $("stop").hidden = state.phase !== "running" && state.phase !== "waiting";
  text("status", state.status);
  text("cost", money(state));
  part("answer", [state.answer, state.failure, state.writing], () => answer(state));
  part("sources", [state.sources], () => sources(state));
  part("plan", [state.persona, state.questions], () => plan(state));
  part("steps", [state.steps], () => steps(state));
  part("log", [state.events.length], () => log(state));
}

/** Shows or hides the seconds until an ask is resumed. */
export function countdown(seconds) {
  const element = $("countdown");
  element.hidden = seconds === null;
  if (seconds !== null) text("countdown", `Resumes in ${seconds} s`);
}

function part(name, inputs, redraw) {
  const before = drawn.get(name);
  if (before && inputs.every((input, at) => input === before[at])) return;
  drawn.set(name, inputs);
  redraw();
}

function text(id, value) {
  const element = $(id);
  if (element.textContent !== value) element.textContent = value;
}

function answer({ answer: markdown, failure, writing, demo }) {
  const element = $("answer");
  element.classList.toggle("writing", writing);
  element.setAttribute("aria-busy", String(writing));
  const nodes = [];
  if (failure) nodes.push(make("p", "failure", failure));
  if (markdown) nodes.push(render(markdown));
  else if (!failure) nodes.push(make("p", "quiet", "The answer appears here as it is written."));
  if (demo && markdown && !writing) {
    nodes.push(make("p", "quiet", "Quoted by local:extractive. Set a provider key for a written answer."));
  }
  element.replaceChildren(...nodes);
}

function sources({ sources: list }) {
  $("sources-section").hidden = !list.length;
  const items = list.map(({ url, title, date }) => {
    const item = make("li");
    link(url, title || url, item);
    item.append(make("span", "quiet", [host(url), date].filter(Boolean).join(" · ")));
    return item;
  });
  $("sources").replaceChildren(...items);
}

function plan({ persona, questions }) {
  $("plan").hidden = !persona && !questions.length;
  text("persona", persona);
  $("questions").replaceChildren(...questions.map((question) => make("li", "", question)));
}

function steps({ steps: list }) {
  $("steps-section").hidden = !list.length;
  const open = new Set([...document.querySelectorAll("#steps details[open]")].map((details) => details.dataset.key));
  const items = [];
  let iteration = 0;
  for (const step of list) {
    if (step.iteration !== iteration) {
      iteration = step.iteration;
      items.push(make("li", "iteration", `Iteration ${iteration}`));
    }
    items.push(call(step, open));
  }
  $("steps").replaceChildren(...items);
}

function call(step, open) {
  const item = make("li", "call");
  item.dataset.state = step.state;
  const details = make("details");
  details.dataset.key = `${step.iteration}/${step.call_id}`;
  details.open = open.has(details.dataset.key);
  const summary = make("summary", "", describe(step));
  const took = step.duration === null || step.duration === undefined ? "" : `${step.duration} ms`;
  const note = step.state === "running" ? "running …" : [outcome(step), took].filter(Boolean).join(" · ");
  summary.append(make("span", "quiet", note));
  details.append(summary, make("pre", "", detail(step)));
  item.append(details);
  return item;
}

function detail({ args, result, name }) {
  const asked = name === "execute_javascript" ? args?.code ?? "" : JSON.stringify(args, null, 2);
  const came = result ? JSON.stringify(result, null, 2) : "";
  return [asked, came].filter(Boolean).join("\n\n");
}

function log({ events }) {
  text("log-count", `(${events.length})`);
  const pre = document.querySelector("#log pre");
  const lines = events.map(({ id, name, data }) => `${id ?? "–"} ${name} ${JSON.stringify(data)}`);
  if (document.querySelector("#log").open || pre.textContent) pre.textContent = lines.join("\n");
  else document.querySelector("#log").ontoggle = () => { pre.textContent = lines.join("\n"); };
}

function make(name, className = "", content = "") {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (content) element.textContent = content;
  return element;
}
