// The console: ask, watch, resume.

import { ask, delay, stop } from "./stream.js";
import { begin, failed, initial, reduce } from "./state.js";
import { countdown, draw } from "./view.js";

const $ = (id) => document.getElementById(id);
let state = initial();
let scheduled = false;
let abort = null;

/** Draws at most once a frame, however many events came. */
function update(next) {
  state = next;
  if (scheduled) return;
  scheduled = true;
  requestAnimationFrame(() => {
    scheduled = false;
    draw(state);
  });
}

/** The request as the form says it. Keys are read here and kept nowhere. */
function request() {
  const value = (id) => $(id).value.trim();
  const body = { query: value("query"), stream: true };
  if (value("model")) body.model = value("model");
  if (value("api-key")) body.apiKey = value("api-key");
  if (value("access-secret")) body.accessSecret = value("access-secret");
  if (value("budget")) body.budget = { usd: Number(value("budget")) };
  if (value("iterations")) body.max_iterations = Number(value("iterations"));
  return body;
}

async function run(body) {
  abort = new AbortController();
  const { signal } = abort;
  let resumed = false;
  try {
    for (;;) {
      update(begin(state, resumed));
      const ended = await ask(body, {
        signal,
        onEvent: (name, data, id) => update(reduce(state, name, data, id)),
        onDrop: () => update({ ...state, status: "The connection dropped; joining again" }),
      });
      if (ended !== "quota_exceeded" || !state.resume) break;
      body = { ...body, continuation: true, continuationContext: state.resume };
      resumed = true;
      await pause(Math.ceil(state.waitSeconds), signal);
    }
  } catch (error) {
    if (signal.aborted) update({ ...state, phase: "done", writing: false, status: "Stopped" });
    else update(failed(state, error.message));
  } finally {
    countdown(null);
  }
}

async function pause(seconds, signal) {
  for (let left = seconds; left > 0; left -= 1) {
    countdown(left);
    await delay(1000);
    signal.throwIfAborted();
  }
  countdown(null);
}

$("form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (state.phase === "running" || state.phase === "waiting") return;
  state = initial();
  run(request());
});

$("query").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) $("form").requestSubmit();
});

$("stop").addEventListener("click", () => {
  if (state.phase === "waiting" || !state.id) abort?.abort();
  else {
    update({ ...state, status: "Stopping" });
    stop(state.id).catch(() => abort?.abort());
  }
});

$("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const isDark = root.dataset.theme === "dark"
    || (root.dataset.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.dataset.theme = isDark ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
});

document.documentElement.dataset.theme = localStorage.getItem("theme") ?? "auto";
$("query").focus();
draw(state);
