// What payloads say of evidence, read: citations, contradictions, confidence. Pure.
//
// Tolerant of missing fields: nothing that a page or a model wrote is taken for more than text.

import { host, list, text, texts } from "./words.js";

const VERDICTS = new Set(["supported", "partly", "not_found"]);

/** A place in the answer that names a source. `start` and `end` are code points of the answer. */
export function citation(data) {
  return {
    n: Number.isInteger(data.n) ? data.n : null,
    url: text(data.url),
    title: text(data.title) || host(data.url),
    quote: text(data.quote),
    start: Number(data.start),
    end: Number(data.end),
    // What nobody vouches for is to be checked.
    verdict: VERDICTS.has(data.verdict) ? data.verdict : "partly",
    vetoes: texts(data.vetoes, []),
    missing: texts(data.missing, []),
    moved: data.moved === true,
    added: data.added === true,
    byModel: data.by_model === true,
  };
}

const LEVELS = { low: "low", medium: "medium", high: "high" };

/** How far something can be relied on: `{ level, score }`; null where nobody says. */
export function confidence(data) {
  const isScored = typeof data?.score === "number" && Object.hasOwn(LEVELS, data.level);
  return isScored ? { level: LEVELS[data.level], score: data.score } : null;
}

/** What an answer rests on as a whole, but for how far it can be relied on: each kind of answer says that in its way. */
export function proof({ uncited, unknown, unknownCount, unchecked, failed, conflicts }) {
  const count = (value) => Math.max(0, Math.trunc(Number(value)) || 0);
  const names = texts(unknown, []);
  return {
    uncited: count(uncited),
    unknown: names,
    unnamed: Math.max(0, count(unknownCount) - names.length),
    unchecked: count(unchecked),
    failed: count(failed),
    conflicts: list(conflicts).map((each) => conflict(each)),
    confidence: null,
  };
}

/** Two sources that contradict each other, and why the first is believed. */
export function conflict({ difference, one, other, reason }, explaining) {
  const sides = { one: side(one ?? {}), other: side(other ?? {}) };
  return { difference: text(difference), ...sides, reason: text(reason), explaining: explaining ? side(explaining) : null };
}

function side({ url, title, date, quote, tier }) {
  return { url: text(url), title: text(title) || host(url), date: text(date), quote: text(quote), tier: text(tier) };
}
