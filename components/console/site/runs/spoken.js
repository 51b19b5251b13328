// What a screen reader hears of a run: where it stands when that changes, rounds and conflicts, and now and then how
// far it is. Not each step: whoever wants those walks the tree.

import { count } from "../words.js";
import { judged, status, waitsFor } from "./sentences.js";
import { answered, standing, waits } from "./state.js";

/** Milliseconds between two words about how far it is. */
const PAUSE = 20_000;

/** Returns a function that speaks what is new in a run, in a live region. */
export function speaker(region, clock) {
  let of = null;
  let said = {};
  let quietUntil = 0;
  return (state) => {
    const phase = standing(state);
    const { resolved, all } = answered(state);
    const now = { phase, round: state.round, pass: state.pass, conflicts: state.conflicts.length, guidance: state.guidance.length, resolved, all };
    if (of !== state) {
      // What was there when it was opened is to be read, not heard.
      [of, said] = [state, phase === "loading" ? { ...now, phase: null } : now];
      if (phase === "loading") return;
    }
    if (state.record && state.last < state.record.sequence) {
      said = { ...now, phase: said.phase };
      return;
    }
    const parts = [];
    if (phase !== said.phase) parts.push(turn(phase, state, now));
    if (now.guidance > (said.guidance ?? 0)) parts.push("Guidance was received.");
    if (now.conflicts > (said.conflicts ?? 0)) parts.push(`${count(now.conflicts, "conflict")} between sources.`);
    if (now.pass !== said.pass && now.pass) parts.push(`Round ${now.round} is over: ${judged(now.pass)}.`);
    const isFar = resolved !== said.resolved || all !== said.all;
    const mayWait = isFar && !parts.length;
    if (mayWait && (phase !== "running" || clock.now() < quietUntil)) {
      said = { ...now, resolved: said.resolved, all: said.all };
      return;
    }
    if (isFar) {
      if (mayWait) parts.push(`${resolved} of ${count(all, "question")} answered.`);
      quietUntil = clock.now() + PAUSE;
    }
    said = now;
    const words = parts.filter(Boolean).join(" ");
    if (words) region.textContent = words;
  };
}

function turn(phase, state, { resolved, all }) {
  switch (phase) {
    case "loading":
    case "queued":
      return "";
    case "waiting":
      return `${waitsFor(waits(state) ?? {})}.`;
    case "completed":
      return `The report is complete. ${resolved} of ${count(all, "question")} answered.`;
    case "failed":
      return `The run failed. ${state.message}`;
    default:
      return `${status(phase)}.`;
  }
}
