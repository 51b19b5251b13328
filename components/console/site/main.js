// The console: ask, watch, resume.

import { Lost, Refused } from "./connection.js";
import { ask, askAfter, join, stop } from "./stream.js";
import { begin, failed, initial, lasted, reduce, stopped } from "./state.js";
import { draw, drawCountdown, drawElapsed } from "./view.js";
import { clock } from "./clock.js";
import { themeButton } from "./appearance.js";
import { bellIn } from "./bell.js";
import { clear, enterSends, mark } from "./form.js";
import { followIn, followed, saidBefore } from "./follow.js";
import { recentIn } from "./recent.js";
import { speaker } from "./spoken.js";
import { codeIn, ofAsk } from "./code.js";
import { chosen, fields, remember, request } from "./options.js";
import { soon } from "./dom.js";
import { takeIn, whole } from "./take.js";

const $ = (id) => document.getElementById(id);
const BASE = "..";
const TICK = 1000;

let state = initial();
let scheduled = false;
/** The ask on the page: its request, what it follows up on, its abort, when it began. */
let current = null;
const speak = speaker($("spoken"));
const bell = bellIn($("bell"), $("spoken"));
const { after, earlier } = followIn(() => $("query").focus());
const recent = recentIn($("recent"), BASE, () => {
  $("query").focus();
  $("spoken").textContent = "The list is cleared. What was asked is still at its address.";
});
const code = codeIn($("code"), (base, wantsSecret) => {
  const { body = {}, before } = current ?? {};
  // Of an ask that this page did not send, its events say what was.
  const asked = body.query ? body : { ...state.asked, query: state.query, model: state.fallback?.requested ?? state.model };
  const following = before && { follows: before.id, turns: current.turns };
  if (before && state.id) learnTurns(current);
  return ofAsk({ ...asked, ...following }, base, wantsSecret || Boolean(body.accessSecret));
});

/** Learns once what was said before a follow-up: most doors want it said again. */
async function learnTurns(mine) {
  if (mine.turns) return;
  mine.turns = [];
  mine.turns = await saidBefore(state.id);
  if (current === mine) code();
}

/** Draws at most once a frame, however many events came. */
function update(next) {
  ring(next);
  state = next;
  if (scheduled) return;
  scheduled = true;
  soon(() => {
    scheduled = false;
    draw(state);
    speak(state);
    code();
  });
}

/** Tells whoever looks elsewhere that the ask is over. */
function ring({ phase, query, failure, lastAt }) {
  const isBusy = phase === "running" || phase === "waiting";
  bell.show(isBusy);
  if (isBusy || phase === state.phase) return;
  // What was so when it was opened is no news.
  if (current?.isJoined && (lastAt ?? 0) < current.began) return;
  if (phase === "done") bell.ring("The answer is ready", query);
  if (phase === "failed") bell.ring("There is no answer yet", failure.message || query);
}

/** When the ask on the page began. One that was joined did so before it was here, and its events say when. */
function beganAt(mine) {
  return mine.isJoined ? Math.min(mine.began, state.firstAt ?? mine.began) : mine.began;
}

/**
 * Runs an ask to its end, through rate limits. `open(options)` reads the first stream of it; `began` is when it began,
 * where this page knows.
 */
async function run(open, body, from, { isJoined = false, began = clock.now(), before = null } = {}) {
  current?.abort.abort();
  const mine = { abort: new AbortController(), began, isJoined, body, before, goOn: null };
  current = mine;
  const { signal } = mine.abort;
  tick(mine);
  update(from);
  try {
    for (;;) {
      const ended = await open(options(mine));
      if (ended !== "quota_exceeded" || !state.resume) break;
      // Whoever only looks at it does not pay for the rest: it goes on when somebody says so.
      if (!body.query) {
        update({ ...stopped(state), status: "Waiting at a rate limit" });
        break;
      }
      await countdown(mine, state.wait.seconds);
      const next = { ...body, continuation: true, continuationContext: state.resume };
      open = (each) => ask(next, each);
      update(begin(state, state.resume));
    }
  } catch (error) {
    if (current !== mine) return;
    update(signal.aborted ? stopped(state) : failed(state, failure(error)));
    if (error instanceof Refused) wrong(error.field);
  } finally {
    mine.isOver = true;
    // Of one that was over before it was looked at, only its events say how long it took.
    const took = state.milliseconds ?? (mine.isJoined ? lasted(state) : null);
    if (current === mine) drawElapsed(took ?? clock.now() - mine.began, true);
  }
}

function options(mine) {
  return {
    base: BASE,
    clock,
    signal: mine.abort.signal,
    onEvent(name, data, number) {
      if (current !== mine) return;
      const wasResuming = state.resuming !== null;
      update(reduce(state, name, data, number));
      // What is refused before it begins is no place to come back to.
      const hasBegun = name === "init" || wasResuming;
      if (hasBegun && !state.resuming) arrived(mine);
      if (name === "init" && mine.wantsStop) end(mine);
      if (name === "init" && mine.isJoined && data.turns > 0) recall(mine);
      if (name === "waiting") {
        mine.triesAt = clock.now() + state.pause.seconds * 1000;
        requestAnimationFrame(() => drawPause(mine));
      }
    },
    onDrop: () => current === mine && update({ ...state, status: "The connection dropped. Reconnecting" }),
    onJoined: () => current === mine && update({ ...state, status: "Reconnected" }),
  };
}

/** Learns what an ask follows up on that this page did not send, so that it is not asked again without it. */
async function recall(mine) {
  mine.before ??= await followed(state.id);
  if (current !== mine || earlier()) return;
  after(mine.before);
  code();
}

/** The address names the ask from now on, so that a reload joins it again. */
function arrived(mine) {
  if (state.id && !mine.isJoined && mine.kept !== state.id) recent.remember(mine.kept = state.id);
  const to = `#${state.id}`;
  // Another question is another page: the way back leads to the answer before.
  if (state.id && location.hash !== to) history[state.goesOn || !location.hash ? "replaceState" : "pushState"](null, "", to);
  if (!$("query").value) $("query").value = state.query;
}

/** A secret that is wrong is wanted as one that is missing is. */
function refusedAs({ type, code }) {
  return code === "INVALID_ACCESS_SECRET" ? "unauthorized" : type;
}

function failure(error) {
  // The address of an answer tells no question: who came by it has none to ask again.
  if (error instanceof Refused && error.type === "not_found" && !$("query").value.trim()) return { type: "forgotten", message: "" };
  if (error instanceof Refused) return { type: refusedAs(error), message: error.message, wait: (error.retryAfter ?? 0) / 1000 };
  if (error instanceof Lost) return { type: error.id ? "lost" : "unreachable", message: "" };
  return { type: null, message: error.message };
}

/** Counts down, and returns early when the person wants to go on. */
async function countdown(mine, seconds) {
  const until = clock.now() + seconds * 1000;
  const early = new AbortController();
  mine.goOn = () => early.abort();
  const signal = AbortSignal.any([mine.abort.signal, early.signal]);
  for (let left = until - clock.now(); left > 0 && !early.signal.aborted; left = until - clock.now()) {
    mine.left = Math.ceil(left / 1000);
    requestAnimationFrame(() => drawCountdown(mine.left));
    await clock.sleep(Math.min(TICK, left), signal).catch(() => {});
    mine.abort.signal.throwIfAborted();
  }
  mine.goOn = null;
}

/** Shows how long the server still waits for the provider. */
function drawPause(mine) {
  if (current === mine && state.pause) drawCountdown(Math.ceil((mine.triesAt - clock.now()) / 1000));
}

async function tick(mine) {
  while (!mine.isOver && current === mine) {
    drawElapsed(clock.now() - beganAt(mine), false);
    drawPause(mine);
    await clock.sleep(TICK, mine.abort.signal).catch(() => {});
  }
}

/** The fields by the names that the interface has for them. */
const FIELDS = {
  query: "query", model: "model", apiKey: "api-key", accessSecret: "access-secret", budget: "budget", "budget.usd": "budget",
  "budget.tokens": "budget", max_iterations: "iterations", sources: "look-in", collection: "collection", verify_with_model: "verify",
};

/** Marks the field that the server does not like; the notice says why. */
function wrong(name) {
  if (name && Object.hasOwn(FIELDS, name)) mark($(FIELDS[name]), "notice");
}

function submit() {
  const { body, complaint } = request();
  clear($("form"));
  $("complaint").textContent = complaint?.message ?? "";
  if (complaint) {
    if (complaint.field !== "query") $("options").open = true;
    mark($(complaint.field), "complaint");
    $(complaint.field).focus();
    return;
  }
  remember();
  $("options").open = false;
  const before = earlier();
  run((each) => (before ? askAfter(before.id, body, each) : ask(body, each)), body, begin(state, null), { before });
  if (document.activeElement === $("ask")) $("progress").focus({ preventScroll: true });
}

const ACTIONS = {
  alone: () => $("alone").click(),
  now: () => current?.goOn?.(),
  retry: submit,
  resume() {
    const { resume, query } = state;
    clear($("form"));
    const body = { ...current?.body, ...request().body };
    const next = { ...body, continuation: true, continuationContext: resume };
    if (query) next.query = query;
    run((each) => ask(next, each), body, begin(state, resume), { before: current?.before });
  },
  rejoin() {
    const last = state.events.slice(state.first).reduce((most, { number }) => Math.max(most, number ?? 0), 0);
    const from = { ...state, phase: "running", status: "Reconnecting", failure: null };
    run((each) => join(state.id, last, each), current?.body ?? {}, from, current ?? {});
  },
};

$("form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (!$("ask").hidden) submit();
});

enterSends($("form"));

$("notice").addEventListener("click", ({ target }) => {
  const [action, field] = target.closest("button")?.dataset.action.split(":") ?? [];
  if (action === "options") {
    $("options").open = true;
    ($("form").querySelector("[aria-invalid]") ?? $(field)).focus();
  } else ACTIONS[action]?.();
});

$("stop").addEventListener("click", ({ detail: clicks }) => {
  // It takes the place of Ask: the second click of two was meant for that.
  if (clicks > 1) return;
  const mine = current;
  if (state.phase === "waiting" || mine?.wantsStop) return mine?.abort.abort();
  // Before it has an id it cannot be stopped, and would go on unseen.
  if (!state.id) {
    mine.wantsStop = true;
    return update({ ...state, status: "Stopping as soon as it has started" });
  }
  end(mine);
});

function end(mine) {
  update({ ...state, status: "Stopping after this step" });
  stop(state.id, BASE).catch(() => {
    if (current === mine && !mine.isOver) update({ ...state, status: "It could not be stopped; try again" });
  });
}

$("follow").addEventListener("click", () => {
  after({ id: state.id, query: state.query, isByRules: !state.hasLanguageModel });
  $("query").value = "";
  $("query").focus();
});

takeIn($("take"), $("spoken"), () => {
  const { id, query, answer, format, citations, sources } = state;
  const isJson = format === "json";
  const text = isJson ? answer : whole(answer, citations, sources);
  const has = isJson ? answer : `# ${query.replace(/\s+/g, " ")}\n\n${text}`;
  return { text, has, shown: $("answer"), name: `answer-${id}.${isJson ? "json" : "md"}` };
});

fields(() => { $("chosen").textContent = chosen(); });
themeButton($("theme"));

/** The ask that the address names is the one on the page; it may name what the next one follows up on instead. */
function opened() {
  const [, follows, id] = /^#(follow=)?([\w-]{8,64})$/.exec(location.hash) ?? [];
  if (follows) return home({ id, query: "" });
  if (id === (state.id ?? undefined)) return;
  after(null);
  if (!id) return home(null);
  $("query").value = "";
  run((each) => join(id, 0, each), {}, { ...begin(state, null), id, status: "Loading the answer" }, { isJoined: true });
}

/** Nothing is asked yet; `before` is what the next question follows up on. */
function home(before) {
  current?.abort.abort();
  current = null;
  $("query").value = "";
  after(before);
  update(initial());
  recent.show();
}

addEventListener("hashchange", opened);
addEventListener("online", () => state.failure?.type === "lost" && ACTIONS.rejoin());
$("skip").addEventListener("click", () => ($("answer-part").hidden ? $("query") : $("answer")).focus());
opened();
if (!state.id) $("query").focus();
if (!location.hash) recent.show();
