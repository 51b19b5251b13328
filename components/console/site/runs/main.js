// The page of runs: start, list, watch, steer.

import { themeButton } from "../appearance.js";
import { bellIn } from "../bell.js";
import { channel } from "../channel.js";
import { clock } from "../clock.js";
import { codeIn, ofRun } from "../code.js";
import { collectionIn } from "../collections.js";
import { Lost, Refused } from "../connection.js";
import { asking, closeAll, dialog } from "../dialogs.js";
import { soon } from "../dom.js";
import { saved } from "../download.js";
import { busy, clear, complain, complaintOf, enterSends, isBusy, read } from "../form.js";
import { once } from "../sending.js";
import { admitted, identity } from "../server.js";
import { takeIn, whole } from "../take.js";
import { count, sentence } from "../words.js";
import * as api from "./api.js";
import { knobsIn } from "./knobs.js";
import { listIn } from "./list.js";
import { drop, remember } from "./remembered.js";
import { citationsOf } from "./report.js";
import { waitsFor } from "./sentences.js";
import { speaker } from "./spoken.js";
import { begin, hasEnded, hasUnknown, isStill, learn, standing, take, waits } from "./state.js";
import { runIn } from "./view.js";

const $ = (id) => document.getElementById(id);
const TICK = 1000;
const LOOK_AGAIN = 10_000;

/** The run on the page: its state, its abort, what wakes whoever follows it; null on the first page. */
let current = null;
let isScheduled = false;
const others = channel("runs");
const speak = speaker($("spoken"), clock);
const bell = bellIn($("bell"), $("spoken"));
const view = runIn((number) => openFork(number));
const { ask, unlock } = admitted(asking($("unlocking"), $("secret")), (message) => {
  $("unlocking-why").textContent = message;
});
const list = listIn((make) => make());
const code = codeIn($("code"), (base, wantsSecret) => {
  const { record, wish } = current?.state ?? {};
  const hasSecret = wantsSecret || "authorization" in identity();
  return record ? ofRun({ ...record, guidance: wish }, base, hasSecret) : [];
});

// -- Watching

/** Draws at most once a frame, however many events came. */
function update(mine) {
  if (isScheduled || current !== mine) return;
  isScheduled = true;
  soon(() => {
    isScheduled = false;
    if (!current) return;
    // Before the page looks where the focus is: what it hides may have it.
    ring(current);
    view.draw();
    view.tick(worked(current), clock.now());
    speak(current.state);
    code();
  });
}

/** Tells whoever looks elsewhere that the run is over, or cannot go on by itself. */
function ring(mine) {
  const { state } = mine;
  const phase = standing(state);
  const isStuck = phase === "waiting" && !waits(state)?.until;
  const now = hasEnded(phase) ? phase : isStuck ? "stuck" : "busy";
  bell.show(now === "busy" && phase !== "loading");
  // What it waited for earlier, it does not wait for now.
  if (mine.rung && state.record && state.last < state.record.sequence) return;
  // What was so when it was opened is no news.
  if (mine.rung === "busy" && now !== "busy" && phase !== "aborted") {
    bell.ring(isStuck ? waitsFor(waits(state) ?? {}) : phase === "completed" ? "The report is ready" : "The run failed", state.task);
  }
  if (phase !== "loading") mine.rung = now;
}

/** Milliseconds that a run has worked by now. */
function worked({ state, since }) {
  const known = state.worked ?? state.record?.summary_metrics?.latency ?? 0;
  return standing(state) === "running" && state.worked === null ? known + (clock.now() - since) : known;
}

function touch(mine) {
  mine.state.changed.parts.add("run");
  update(mine);
}

/** Follows a run for as long as it is on the page. */
async function follow(mine) {
  const { state, abort: { signal } } = mine;
  while (current === mine) {
    const { pokes } = mine;
    try {
      state.trouble = null;
      await know(mine);
      await api.watch(state.id, state.last, {
        clock,
        signal,
        mayBeOver: () => isStill(state),
        onEvent(name, data, number) {
          take(state, name, data, number);
          if (name === "run_resumed" && number > state.record.sequence) know(mine).catch(() => {});
          update(mine);
        },
        onDrop() {
          state.doing = "The connection dropped. Reconnecting";
          touch(mine);
        },
        onJoined() {
          state.doing = "Reconnected";
          touch(mine);
        },
      });
      await know(mine, hasUnknown(state));
      await prove(mine);
    } catch (error) {
      if (signal.aborted) return;
      state.trouble = trouble(error);
      touch(mine);
    }
    // Nothing more comes unless somebody does something, or just did: here, in another tab, or elsewhere.
    if (mine.pokes !== pokes) continue;
    await new Promise((resolve) => {
      mine.wake = resolve;
      signal.addEventListener("abort", resolve, { once: true });
    });
  }
}

/** Learns what the server says of a run now; with its sources, where they are wanted. */
async function know(mine, withSources = false) {
  const { id } = mine.state;
  const record = await ask(() => (withSources ? api.everything(id) : api.snapshot(id)));
  mine.since = clock.now();
  learn(mine.state, record);
  update(mine);
}

/** The places that the citations of a whole report rest on. */
async function prove(mine) {
  const { state } = mine;
  if (state.phase !== "completed" || !state.report || state.citations.length) return;
  const whole = await (await ask(() => api.report(state.id, "application/json"))).json();
  state.citations = citationsOf(state.report, whole.claims);
  state.changed.parts.add("report");
  update(mine);
}

function trouble(error) {
  if (error instanceof Lost) return { type: error.id ? "lost" : "unreachable", message: "" };
  if (!(error instanceof Refused)) return { type: null, message: error.message };
  return { type: error.status === 404 ? "gone" : error.type, message: error.status === 404 ? "" : error.message };
}

async function tick(mine) {
  while (current === mine) {
    view.tick(worked(mine), clock.now());
    await clock.sleep(TICK, mine.abort.signal).catch(() => {});
  }
}

/** Something was done to a run: whoever shows it looks again. */
function poke(id) {
  if (current?.state.id === id) wake();
}

function wake() {
  current.pokes += 1;
  current.wake?.();
}

function tell(id) {
  others.postMessage(id);
  poke(id);
}

others.addEventListener("message", ({ data }) => {
  poke(data);
  if (!current) list.refresh();
});

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  if (!current) list.refresh();
  else if (current.state.phase !== "completed" && !["unauthorized", "gone"].includes(current.state.trouble?.type)) wake();
});

// -- Pages

/** Counts visits to the first page: each looks again for itself. */
let visits = 0;

function route() {
  const [, id] = /^#([\w-]{8,64})$/.exec(location.hash) ?? [];
  if (id && current?.state.id === id) return;
  closeAll();
  current?.abort.abort();
  current = null;
  $("home").hidden = Boolean(id);
  $("run").hidden = !id;
  $("spoken").textContent = "";
  if (id) open(id);
  else home();
}

function open(id) {
  const state = Object.assign(begin(id), { citations: [], sofar: null, trouble: null, workedNow: 0 });
  const mine = { state, abort: new AbortController(), wake: null, pokes: 0, rung: null, since: clock.now() };
  current = mine;
  $("all-runs").removeAttribute("aria-current");
  view.open(state);
  view.draw();
  scrollTo(0, 0);
  $("run-task").focus({ preventScroll: true });
  follow(mine);
  tick(mine);
}

async function home() {
  const visit = ++visits;
  document.body.dataset.phase = "idle";
  document.title = "Runs – Quarry";
  $("all-runs").setAttribute("aria-current", "page");
  $("task").focus({ preventScroll: true });
  await list.refresh();
  // What goes on is looked at again while somebody looks at it.
  while (visit === visits && !current) {
    await clock.sleep(LOOK_AGAIN);
    if (visit === visits && !current && !document.hidden && list.isMoving()) await list.refresh();
  }
}

addEventListener("hashchange", route);
$("all-runs").addEventListener("click", (event) => {
  event.preventDefault();
  if (location.hash) location.hash = "";
});

// -- Starting

$("begin").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = $("begin");
  if (isBusy($("start"))) return;
  clear(form);
  const { body, complaint } = read(form);
  if (complaint) return complain(form, complaint);
  if (!body.task) return complain(form, { field: "task", message: "Write a task first." });
  busy($("start"), true);
  try {
    const { run_id: id } = await once(JSON.stringify(body), (key) => ask(() => api.start(body, key)));
    remember(id);
    form.reset();
    $("chosen").textContent = "";
    $("options").open = false;
    location.hash = id;
    tell(id);
  } catch (error) {
    complain(form, complaintOf(error));
  } finally {
    busy($("start"), false);
  }
});

enterSends($("begin"));

const showCollection = collectionIn($("collection-line"), () => $("sources").value !== "", identity);
// It is reset behind this event.
$("begin").addEventListener("reset", () => queueMicrotask(showCollection));

/** What is set, in a line; never a key itself. */
$("options").addEventListener("input", () => {
  showCollection();
  const { body } = read($("begin"));
  if (!body) return;
  const { model, apiKey, budget = {}, config, guidance, sources, collection, models } = body;
  const knobs = config && Object.values(config).reduce((sum, value) => sum + (typeof value === "object" ? Object.keys(value).length : 1), 0);
  const parts = [
    model, apiKey && "own key", budget.usd && `$${budget.usd}`, budget.tokens && `${budget.tokens} tokens`,
    sources === "both" ? "web and documents" : sources, collection && `collection ${collection}`, guidance && "guidance", models && "other models", knobs && count(knobs, "setting"),
  ];
  $("chosen").textContent = parts.filter(Boolean).map((each) => ` · ${each}`).join("");
});

// -- Steering

const guide = dialog($("guide"), async ({ text }) => {
  if (!text) throw new Refused(400, { type: "invalid_field", field: "text", message: "Write some guidance first." });
  const { id } = current.state;
  await ask(() => api.guide(id, text));
  tell(id);
});

const resume = dialog($("resume"), async (body) => {
  const { id } = current.state;
  await ask(() => api.resume(id, body));
  tell(id);
});

$("resume").addEventListener("refused", ({ detail: error }) => {
  if (error.type !== "conflict" || !error.message.includes("\"force\": true")) return;
  $("force-line").hidden = false;
  $("force").focus();
});

const fork = dialog($("fork"), async (body, signal) => {
  const { id: from } = current.state;
  const { run_id: id } = await once(`${from} ${JSON.stringify(body)}`, (key) => ask(() => api.fork(from, body, key)));
  remember(id);
  // Whoever has let it be stays where they are; what has begun is in the list.
  if (!signal.aborted && current?.state.id === from) location.hash = id;
  others.postMessage(id);
});

const forget = dialog($("forget"), async (_, signal) => {
  const { id } = current.state;
  await ask(() => api.forget(id));
  drop(id);
  list.forget(id);
  if (!signal.aborted && current?.state.id === id) location.hash = "";
  tell(id);
});

function openResume(field) {
  const isForced = waits(current.state)?.reason === "policy_changed";
  $("force-line").hidden = !isForced;
  resume.open(isForced ? $("force") : field);
}

function openFork(after) {
  $("fork-last").textContent = `1 to ${current.state.last}. Empty: after the last.`;
  $("fork-task").placeholder = current.state.task;
  fork.open();
  if (after) $("fork-at").value = String(after);
}

/** Does something to the run on the page; where that is refused, it is said. */
async function act(button, what) {
  const mine = current;
  if (isBusy(button)) return;
  $("complaint").textContent = "";
  busy(button, true);
  try {
    await what(mine.state);
  } catch (error) {
    $("complaint").textContent = sentence(complaintOf(error).message);
  } finally {
    busy(button, false);
  }
}

const ACTIONS = {
  guide: () => guide.open(),
  resume: () => openResume(null),
  key: () => openResume($("resume-key")),
  fork: () => openFork(null),
  forget: () => forget.open(),
  home: () => { location.hash = ""; },
  join: wake,
  unlock: wake,
  now: (button) => act(button, async ({ id }) => {
    await ask(() => api.resume(id, {}));
    tell(id);
  }),
  abort: (button) => act(button, async (state) => {
    await ask(() => api.abort(state.id));
    if (!hasEnded(standing(state))) state.doing = "Ending at the next step";
    touch(current);
    tell(state.id);
  }),
  sofar: (button) => act(button, async (state) => {
    const markdown = await (await ask(() => api.report(state.id, "text/markdown", true))).text();
    const whole = await (await ask(() => api.report(state.id, "application/json", true))).json();
    state.sofar = { markdown, citations: citationsOf(markdown, whole.claims) };
    state.changed.parts.add("report");
    view.draw();
    $("report").focus();
  }),
};

for (const place of [$("actions"), $("notice")]) {
  place.addEventListener("click", ({ target }) => {
    const button = target.closest("button");
    if (button) ACTIONS[button.dataset.action]?.(button);
  });
}

$("downloads").addEventListener("click", ({ target }) => {
  const button = target.closest("[data-download]");
  if (!button) return;
  act(button, async ({ id, report }) => {
    const accept = button.dataset.download;
    const ending = { "text/markdown": "md", "text/html": "html", "application/json": "json" }[accept];
    await saved(await ask(() => api.report(id, accept, !report)), `report-${id}.${ending}`);
  });
});

takeIn($("downloads"), $("spoken"), () => {
  const { report, citations, sofar } = current.state;
  // It has a list of its sources of its own.
  const text = report ? whole(report, citations) : whole(sofar.markdown, sofar.citations);
  return { text, shown: $("report") };
});

$("traces").addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (!button) return;
  const form = button.dataset.trace;
  act(button, async ({ id }) => saved(await ask(() => api.trace(id, form)), `${form === "bundle" ? "bundle" : "trace"}-${id}.ndjson`));
});

$("unlock").addEventListener("click", async () => {
  if (await unlock()) list.refresh();
});

$("skip").addEventListener("click", () => $("main").focus());

knobsIn($("begin"));
knobsIn($("resume"), () => current?.state.record?.config);
knobsIn($("fork"), () => current?.state.record?.config);
themeButton($("theme"));
route();
