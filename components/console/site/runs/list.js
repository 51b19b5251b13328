// The caller's runs, newest first. Where the server lists nobody's, those that this browser began.

import { make, text as say } from "../dom.js";
import { complaintOf } from "../form.js";
import { merged } from "../merged.js";
import { rows } from "../rows.js";
import { count, sentence, text, when } from "../words.js";
import { page, snapshot } from "./api.js";
import { drop, ids } from "./remembered.js";
import { cost, status, waitsFor } from "./sentences.js";

/** Runs of a page of those that are remembered. */
const PAGE = 20;
/** Snapshots that are asked for at once. */
const AT_ONCE = 4;

const $ = (id) => document.getElementById(id);

/** Shows runs. `ask(request)` makes a request, and asks for the access secret where it takes one. */
export function listIn(ask) {
  let runs = [];
  /** Where the next page begins: the server's cursor, or a place among those remembered; null: nowhere. */
  let next = null;
  let isOwn = false;
  let turn = 0;
  /** The page that was asked for last. */
  let asked = null;

  async function load(cursor) {
    const status_ = $("filter").value;
    if (!isOwn || cursor === null) {
      const told = await ask(() => page({ status: status_, cursor }));
      if (told.runs.length || cursor !== null || !ids().length) {
        isOwn = false;
        return { runs: told.runs, next: told.next_cursor ?? null };
      }
      isOwn = true;
    }
    return remembered(status_, cursor === null ? 0 : place());
  }

  /** The place behind those remembered that are shown: what was begun or forgotten meanwhile moves it. */
  function place() {
    const all = ids();
    return 1 + runs.reduce((most, { run_id: id }) => Math.max(most, all.indexOf(id)), -1);
  }

  async function remembered(status_, from) {
    const all = ids();
    const found = [];
    let at = from;
    while (at < all.length && found.length < PAGE) {
      const some = all.slice(at, at + AT_ONCE);
      at += some.length;
      const records = await Promise.all(some.map((id) => snapshot(id).catch((error) => {
        if (error.status === 404) drop(id);
        return null;
      })));
      found.push(...records.filter((record) => record && (!status_ || record.status === status_)));
    }
    return { runs: found, next: at < all.length ? at : null };
  }

  function draw() {
    rows($("list"), runs.map(shown), item);
    $("more").hidden = next === null;
    const filter = $("filter").value;
    const none = filter ? `No ${status(filter).toLowerCase()} runs.` : "No runs yet.";
    say("list-note", runs.length ? (isOwn ? "Started in this browser." : "") : none);
    $("list-part").removeAttribute("aria-busy");
    $("unlock").hidden = $("again").hidden = true;
  }

  /** Shows a page behind the others, or the first one in the place of what it shows of them; of another list `isAnew`. */
  async function show(cursor, isAnew = false) {
    const mine = ++turn;
    asked = cursor;
    $("list-part").setAttribute("aria-busy", "true");
    try {
      const told = await load(cursor);
      if (mine !== turn) return;
      if (cursor === null) {
        const { all, hasRest } = merged(isAnew ? [] : runs, told.runs, told.next !== null, ({ run_id: id }) => id);
        runs = all;
        if (!hasRest) next = told.next;
      } else {
        const known = new Set(runs.map(({ run_id: id }) => id));
        runs = [...runs, ...told.runs.filter(({ run_id: id }) => !known.has(id))];
        next = told.next;
      }
      draw();
    } catch (error) {
      if (mine !== turn) return;
      $("list-part").removeAttribute("aria-busy");
      say("list-note", sentence(complaintOf(error).message));
      $("unlock").hidden = error.type !== "unauthorized";
      $("again").hidden = !$("unlock").hidden;
    }
  }

  $("filter").addEventListener("change", () => show(null, true));
  $("more").addEventListener("click", async () => {
    const before = runs.length;
    await show(next);
    $("list").children[before]?.querySelector("a").focus();
  });
  $("again").addEventListener("click", async () => {
    await show(asked);
    if ($("again").hidden) ($("list").querySelector("a") ?? $("filter")).focus();
  });
  addEventListener("online", () => $("again").checkVisibility() && show(asked));

  return {
    /** Loads the first page anew; those behind it stay. */
    refresh: () => show(null),
    /** Takes one away that is deleted, wherever it stands. */
    forget(id) {
      runs = runs.filter(({ run_id: each }) => each !== id);
      draw();
    },
    /** Whether one of those shown goes on. */
    isMoving: () => runs.some(({ status: now }) => now === "queued" || now === "running"),
  };
}

/** What of a record is to be seen. */
function shown({ run_id: id, task, model, status: now, waiting, started_at: at, summary_metrics: metrics = {}, partial }) {
  const { nodes = 0, sources = 0, tokens = 0, cost: usd = 0, cost_known: known = true, unsettled_calls: unsettled = 0 } = metrics;
  const phase = now === "queued" && waiting ? "waiting" : now;
  const facts = [
    phase === "waiting" ? waitsFor(waiting) : "", partial ? "partial" : "", when(at), text(model),
    count(nodes, "question"), count(sources, "source"), tokens ? cost({ usd, known, unsettled }) : "",
  ];
  return { id, task: text(task), phase, facts: facts.filter(Boolean).join(" · ") };
}

function item({ id, task, phase, facts }) {
  const element = make("li");
  const link = make("a");
  link.href = `#${id}`;
  const words = make("span", "task", task);
  words.dir = "auto";
  const state = make("span", "state", status(phase));
  state.dataset.phase = phase;
  link.append(words);
  const line = make("small");
  line.append(state, ` ${facts}`);
  element.append(link, line);
  return element;
}
