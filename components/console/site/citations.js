// What an answer rests on: where its markers stand, and the verdicts in words. Pure.

import { count } from "./words.js";

/** Around the place of a citation in a text that is about to be read as Markdown. */
const OPEN = "\ue000";
const CLOSE = "\ue001";

/**
 * An answer as texts and citations, in its order. While it is being written, a marker that is not whole yet is
 * left out; one that is not what its citation says is text.
 */
export function pieces(answer, citations) {
  const out = [];
  let [unit, point, from] = [0, 0, 0];
  const walk = (end) => {
    for (; point < end && unit < answer.length; point += 1) unit += answer.codePointAt(unit) > 0xffff ? 2 : 1;
    return point === end;
  };
  for (const citation of citations) {
    if (!(citation.start >= point && citation.end > citation.start) || !walk(citation.start)) continue;
    const start = unit;
    const isWhole = walk(citation.end);
    const marker = answer.slice(start, unit);
    if (!(isWhole ? isMarker : mayBecome)(marker, citation)) continue;
    out.push(answer.slice(from, start));
    if (isWhole) out.push(citation);
    from = unit;
  }
  out.push(answer.slice(from));
  return out;
}

function isMarker(text, { n, url }) {
  return n === null ? /^\([^()]*\)$/.test(text) : text === `[${n}](${url})`;
}

function mayBecome(text, { n, url }) {
  return text !== "" && (n === null ? text[0] === "(" : `[${n}](${url})`.startsWith(text));
}

/** An answer with each marker as `OPEN place CLOSE`. */
export function marked(answer, citations) {
  const places = new Map(citations.map((citation, at) => [citation, at]));
  const plain = (text) => text.replaceAll(OPEN, "\ufffd");
  return pieces(answer, citations)
    .map((piece) => (typeof piece === "string" ? plain(piece) : `${OPEN}${places.get(piece)}${CLOSE}`))
    .join("");
}

/** The place of the citation that begins here, and where it ends: `{ at, end }`. */
export function markAt(text, at) {
  const found = /^\ue000(\d{1,6})\ue001/.exec(text.slice(at, at + 8));
  return found && { at: Number(found[1]), end: at + found[0].length };
}

/** A text of which nothing is Markdown, with its markers as people read them. */
export function unmarked(text, citations) {
  return text.replace(/\ue000(\d{1,6})\ue001/g, (_, at) => mark(citations[at]));
}

/**
 * An answer as Markdown that stands without its page: its numbers lead to their places and keep their doubts, and the
 * `sources` that they name are listed. `address(url)` is the whole address of one; empty where it leads nowhere.
 */
export function standalone(answer, citations, sources, address) {
  const linked = (words, url) => (address(url) ? `[${words}](${address(url)})` : `[${words}]`);
  const words = (citation) => (citation.n === null ? mark(citation) : linked(sign(citation), citation.url));
  const text = pieces(answer, citations).map((piece) => (typeof piece === "string" ? piece : words(piece))).join("");
  const isDoubted = citations.some(({ n, verdict }) => n !== null && verdict !== "supported");
  const named = new Set(citations.map(({ n }) => n));
  const list = sources.filter(({ n }) => Number.isInteger(n) && named.has(n)).sort((one, other) => one.n - other.n)
    .map(({ n, url, title, date }) => `- ${n}: ${[linked(literal(title || url), url), date].filter(Boolean).join(", ")}`);
  return `${[text.trimEnd(), isDoubted ? DOUBT : "", list.length ? `Sources:\n\n${list.join("\n")}` : ""].filter(Boolean).join("\n\n")}\n`;
}

const DOUBT = "A number with a question mark is to be checked: its source was not found to say all of the sentence.";

/** Words of which nothing is Markdown. */
function literal(words) {
  return words.replace(/\s+/g, " ").replace(/[\\[\]*_`<>]/g, "\\$&");
}

/** An answer as it is heard. */
export function spoken(answer, citations) {
  const words = ({ n, verdict }) => (n === null ? "(unverified)" : `(source ${n}${HEARD[verdict]})`);
  return pieces(answer, citations).map((piece) => (typeof piece === "string" ? piece : words(piece))).join("");
}

const HEARD = { supported: "", partly: ", to be checked", not_found: ", unverified" };

function mark(citation) {
  if (!citation) return "";
  return citation.n === null ? "(unverified)" : `[${sign(citation)}]`;
}

/** The number of a citation, with a question mark where it is not verified. */
export function sign({ n, verdict }) {
  return verdict === "supported" ? String(n) : `${n}?`;
}

/** A verdict in a word, for what is shown and for what is read aloud. */
export const VERDICT = { supported: "verified", partly: "to check", not_found: "unverified" };

const SAYS = {
  supported: "The source says this.",
  partly: "The source says part of this.",
  not_found: "Nothing that was read says this. This comes nearest:",
};

/** Another source was not looked for: a language model judged this one. */
const REFUSED = "The source does not say this. What it says:";

/** What a citation came to, as sentences. */
export function findings({ n, verdict, vetoes, missing, moved, added, byModel }) {
  const out = [verdict === "not_found" && n !== null ? REFUSED : SAYS[verdict]];
  if (verdict !== "supported") {
    const words = (names) => vetoes.filter((veto) => Object.hasOwn(names, veto)).map((veto) => names[veto]);
    const differs = words(DIFFERENCES);
    if (missing.length) out.push(`Not there: ${some(missing.map((word) => `“${word}”`), MOST_WORDS)}.`);
    if (differs.length) out.push(`What differs: ${differs.join(", ")}.`);
    out.push(...words(OBSTACLES));
  }
  if (moved) out.push("The model cited another passage, which does not say it; the check found this one.");
  if (added) out.push("The model cited nothing here; the check found this.");
  if (byModel) out.push("A language model judged this.");
  return out;
}

const MOST_WORDS = 10;

function some(all, most) {
  const more = all.length - most;
  return more > 0 ? `${all.slice(0, most).join(", ")} and ${more} more` : all.join(", ");
}

/** What differs between a sentence and what it cites. */
const DIFFERENCES = {
  number: "a number",
  date: "a date",
  ordinal: "a place in a row",
  unit: "a unit",
  entity: "a name",
  polarity: "a “not”",
  reserve: "how certain it is",
  antonym: "a word that means the opposite",
  absolute: "an “all”, “only” or “never”",
  quotation: "the words of a quotation",
  swapped: "two names that changed places",
};

/** Why a sentence could not be checked. */
const OBSTACLES = {
  question: "It is a question.",
  too_short: "It says too little to be checked.",
  too_long: "It says too much to be checked as one sentence.",
  unread: "Its page was not read, only what a search says of it.",
};

/**
 * How many sentences came to each verdict. Markers in a row stand for one sentence: the best of them counts. Where
 * an answer has no markers each citation stands for itself. Citations that failed beside one that holds, and sentences
 * that cite nothing, are in the proof of the whole answer.
 */
export function tally(citations, proof) {
  const counts = { supported: 0, partly: 0, not_found: 0, uncited: proof?.uncited ?? 0, failed: proof?.failed ?? 0 };
  const rank = ["not_found", "partly", "supported"];
  let [best, end] = [null, -Infinity];
  for (const { verdict, start, end: next } of citations) {
    if (best === null || start > end + 1 || start === next) {
      if (best !== null) counts[best] += 1;
      best = verdict;
    } else if (rank.indexOf(verdict) > rank.indexOf(best)) best = verdict;
    end = next;
  }
  if (best !== null) counts[best] += 1;
  return counts;
}

/** A tally in words, one for each part that there is: `[kind, words]`. */
export function shares(counts) {
  const { supported, partly, not_found: unverified, uncited, failed } = counts;
  const all = supported + partly + unverified + uncited;
  const sentences = all === 1 ? "sentence" : "sentences";
  return [
    ["supported", `${supported} of ${all} ${sentences} verified`],
    ...(partly ? [["partly", `${partly} to check`]] : []),
    ...(unverified ? [["not_found", `${unverified} unverified`]] : []),
    ...(uncited ? [["uncited", `${uncited} without a source`]] : []),
    ...(failed ? [["failed", `${count(failed, "failed citation")} left out`]] : []),
  ];
}
