// Markdown within a block: emphasis, code, links. Pure.
//
// What closes what is found once for a text, not once for each mark that might open something.

import { markAt } from "./citations.js";

/** How deep blocks and emphasis go. */
export const DEEPEST = 8;
const LONGEST_LABEL = 1000;
const LONGEST_EMPHASIS = 2000;

const PUNCTUATION = /[!-/:-@[-`{-~]/;

/** A text as strings and nodes. */
export function inline(text, depth) {
  const ends = new Ends(text);
  const out = [];
  let plain = "";
  let at = 0;
  while (at < text.length) {
    const found = special(text, at, depth, ends);
    if (!found) {
      plain += text[at];
      at += 1;
      continue;
    }
    if (typeof found.node === "string") plain += found.node;
    else {
      if (plain) out.push(plain);
      plain = "";
      out.push(found.node);
    }
    at = found.end;
  }
  if (plain) out.push(plain);
  return out;
}

/** What begins here that is not plain text: `{ node, end }`. */
function special(text, at, depth, ends) {
  switch (text[at]) {
    case "\\":
      if (text[at + 1] === "\n") return { node: { type: "break" }, end: at + 2 };
      return PUNCTUATION.test(text[at + 1] ?? "") ? { node: text[at + 1], end: at + 2 } : null;
    case " ": {
      const spaces = /^ {2,}\n/.exec(text.slice(at, at + 20));
      return spaces && { node: { type: "break" }, end: at + spaces[0].length };
    }
    case "`":
      return codeSpan(text, at, ends);
    case "!":
      return text[at + 1] === "[" ? bracket(text, at + 1, depth, ends) : null;
    case "[":
      return bracket(text, at, depth, ends);
    case "<": {
      const end = text.slice(at, at + LONGEST_LABEL).indexOf(">");
      const address = end > 0 ? text.slice(at + 1, at + end) : "";
      return /^https?:\/\/\S+$/.test(address) ? autolink(address, at + end + 1) : null;
    }
    case "\ue000": {
      const mark = markAt(text, at);
      return mark && { node: { type: "citation", at: mark.at }, end: mark.end };
    }
    case "h":
      return /\w/.test(text[at - 1] ?? "") ? null : bare(text, at);
    case "*":
    case "_":
    case "~":
      return depth < DEEPEST ? emphasis(text, at, depth, ends) : null;
    default:
      return null;
  }
}

function codeSpan(text, at, ends) {
  let from = at;
  while (text[from] === "`") from += 1;
  const end = ends.ofCode(from - at, from);
  if (end < 0) return { node: text.slice(at, from), end: from };
  const inside = text.slice(from, end).replaceAll("\n", " ");
  const padded = inside.startsWith(" ") && inside.endsWith(" ") && inside.trim();
  return { node: { type: "code", text: padded ? inside.slice(1, -1) : inside }, end: end + from - at };
}

/** `[label](address)`. */
function bracket(text, at, depth, ends) {
  const end = ends.closing(at);
  if (end < 0) return null;
  const label = text.slice(at + 1, end);
  if (text[end + 1] !== "(") return null;
  const close = ends.closing(end + 1);
  if (close < 0) return null;
  const href = text.slice(end + 2, close).trim().replace(/\s(?:"[^"]*"|'[^']*')$/, "").trimEnd().replace(/^<(.*)>$/, "$1");
  // A label within a label is not read again and again.
  const inner = Math.max(depth + 1, DEEPEST - 1);
  const children = inner <= DEEPEST ? inline(label, inner).map(flat) : [label];
  return { node: { type: "link", href, children }, end: close + 1 };
}

/** No links within links. */
function flat(node) {
  return node.type === "link" ? node.children.map((child) => child.text ?? child).join("") : node;
}

function bare(text, at) {
  const found = /^https?:\/\/(?=[\p{L}\p{N}[])[^\s<>"'`\ue000]+/u.exec(text.slice(at, at + LONGEST_LABEL * 2));
  if (!found) return null;
  const address = found[0].slice(0, endOf(found[0]));
  return autolink(address, at + address.length);
}

/** Where an address ends that stands in a sentence: before its last marks, and before a `)` that none opens. */
function endOf(address) {
  let unopened = address.split(")").length - address.split("(").length;
  let end = address.length;
  for (; end > 0; end -= 1) {
    const last = address[end - 1];
    if (".,;:!?*_~]".includes(last)) continue;
    if (last !== ")" || unopened <= 0) break;
    unopened -= 1;
  }
  return end;
}

function autolink(address, end) {
  return { node: { type: "link", href: address, children: [address] }, end };
}

const EMPHASIS = { "**": "strong", "__": "strong", "*": "em", _: "em", "~~": "del" };

function emphasis(text, at, depth, ends) {
  const char = text[at];
  const mark = text[at + 1] === char ? char + char : char;
  const type = EMPHASIS[mark];
  const from = at + mark.length;
  if (!type || !/\S/.test(text[from] ?? "")) return null;
  if (char === "_" && /\w/.test(text[at - 1] ?? "")) return null;
  if (char === "*" && /\d/.test(text[at - 1] ?? "") && /\d/.test(text[from])) return null;
  const end = ends.ofEmphasis(mark, from);
  if (end < 0 || end >= from + LONGEST_EMPHASIS) return { node: mark, end: from };
  let run = end;
  while (text[run] === char) run += 1;
  return { node: { type, children: inline(text.slice(from, run - mark.length), depth + 1) }, end: run };
}

/** Where the things of a text end that begin in it. Each kind is looked for once, when it is first asked for. */
class Ends {
  #text;
  #closing = null;
  #emphasis = new Map();
  #ticks = null;

  constructor(text) {
    this.#text = text;
  }

  /** Where the bracket that opens here is closed; -1 where it is not, or far away. */
  closing(at) {
    this.#closing ??= closings(this.#text, this);
    const end = this.#closing.get(at) ?? -1;
    return end < at + LONGEST_LABEL * 2 ? end : -1;
  }

  /** Where the first run of marks behind a place begins that ends what this mark begins there; -1 without one. */
  ofEmphasis(mark, from) {
    if (!this.#emphasis.has(mark)) this.#emphasis.set(mark, { all: runs(this.#text, mark, this), next: 0 });
    const known = this.#emphasis.get(mark);
    // A text is read from its beginning to its end: what was passed is not asked for again.
    while (known.all[known.next] <= from) known.next += 1;
    return known.all[known.next] ?? -1;
  }

  /** Where the first run of exactly so many backticks begins from a place on: it ends code; -1 without one. */
  ofCode(count, from) {
    this.#ticks ??= ticks(this.#text);
    const all = this.#ticks.get(count) ?? [];
    // Brackets and emphasis pass over code on their own, so places are asked for more than once.
    let [low, high] = [0, all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (all[middle] < from) low = middle + 1;
      else high = middle;
    }
    return all[low] ?? -1;
  }
}

function closings(text, ends) {
  const found = new Map();
  const open = { "]": [], ")": [] };
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case "\\":
        at += 1;
        break;
      case "`":
        // What stands in code closes nothing.
        at = codeSpan(text, at, ends).end - 1;
        break;
      case "[":
        open["]"].push(at);
        break;
      case "(":
        open[")"].push(at);
        break;
      case "]":
      case ")": {
        const begin = open[text[at]].pop();
        if (begin !== undefined) found.set(begin, at);
      }
    }
  }
  return found;
}

/** Where the runs of backticks begin, by how many they are. */
function ticks(text) {
  const found = new Map();
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    if (!found.has(run.length)) found.set(run.length, []);
    found.get(run.length).push(index);
  }
  return found;
}

/** Where the runs begin that may end an emphasis of this mark. */
function runs(text, mark, ends) {
  const char = mark[0];
  const found = [];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    // What stands in code ends no emphasis.
    else if (text[at] === "`") at = codeSpan(text, at, ends).end - 1;
    else if (text[at] === char) {
      let end = at;
      while (text[end] === char) end += 1;
      const fits = end - at === mark.length || end - at === 3;
      const isWord = char === "_" && /\w/.test(text[end] ?? "");
      if (fits && !isWord && /\S/.test(text[at - 1] ?? " ")) found.push(at);
      at = end - 1;
    }
  }
  return found;
}
