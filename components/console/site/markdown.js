// Markdown to a tree, and the tree to DOM nodes.
//
// `parse` is pure. Places where a source is named come marked: see citations.js. Nothing here reads HTML: markup
// in an answer is text like any other. Links lead only to http(s), images become links. A text is read in a time
// that grows as it does, so that none, however odd, holds the page up.

import { VERDICT, marked, sign, unmarked } from "./citations.js";
import { DEEPEST, inline } from "./inline.js";

/** A row of more cells is text: a table of any width would not be read by anybody. */
const MOST_COLUMNS = 64;

const ITEM = /^( *)([-*+]|\d{1,9}[.)])( +|$)/;
// Only behind backticks is a backtick none of what kind of code it is.
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})[ \t]*(\S*)/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+|$)/;
const QUOTE = /^ {0,3}> ?/;

/** The blocks of a Markdown text. */
export function parse(text) {
  const lines = text.replace(/\r\n?/g, "\n").replaceAll("\t", "    ").split("\n");
  return outline(blocks(lines, 0));
}

/** Headings in levels without a gap from 1 on, whatever marks they are written with. */
function outline(all) {
  const open = [];
  for (const block of all) {
    if (block.type !== "heading") continue;
    while (open.at(-1) >= block.level) open.pop();
    open.push(block.level);
    block.level = open.length;
  }
  return all;
}

function blocks(lines, depth) {
  const out = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at];
    let block = null;
    if (!line.trim()) {
      at += 1;
      continue;
    }
    // Far in it is code of another kind, which a fence shows as well.
    if (FENCE.test(line.trimStart())) [block, at] = code(lines, at);
    else if (HEADING.test(line)) [block, at] = [heading(line), at + 1];
    else if (isRule(line)) [block, at] = [{ type: "rule" }, at + 1];
    else if (depth < DEEPEST && QUOTE.test(line)) [block, at] = quote(lines, at, depth);
    else if (depth < DEEPEST && ITEM.test(line)) [block, at] = list(lines, at, depth);
    else if (isTable(lines, at)) [block, at] = table(lines, at);
    else [block, at] = paragraph(lines, at);
    out.push(block);
  }
  return out;
}

function heading(line) {
  const level = HEADING.exec(line)[1].length;
  const title = line.replace(HEADING, "").trim().replace(/ #{1,6}$/, "");
  return { type: "heading", level, children: inline(title, 0) };
}

function isRule(line) {
  const marks = line.replaceAll(" ", "");
  return marks.length >= 3 && ["-", "*", "_"].some((mark) => marks === mark.repeat(marks.length));
}

function code(lines, at) {
  const inset = lines[at].search(/\S/);
  const most = inset > 3 ? inset + 3 : 3;
  const [, mark, language] = FENCE.exec(lines[at].slice(inset));
  const body = [];
  let next = at + 1;
  const isEnd = (line) => {
    // Further in, it is code like any other.
    const end = line.slice(Math.min(line.search(/\S|$/), most)).trimEnd();
    return end.length >= mark.length && end === mark[0].repeat(end.length);
  };
  while (next < lines.length && !isEnd(lines[next])) body.push(lines[next++]);
  return [{ type: "code", language, text: body.join("\n") }, next + 1];
}

function quote(lines, at, depth) {
  const body = [];
  let next = at;
  while (next < lines.length && QUOTE.test(lines[next])) body.push(lines[next++].replace(QUOTE, ""));
  return [{ type: "quote", blocks: blocks(body, depth + 1) }, next];
}

function list(lines, at, depth) {
  const [, indent, mark] = ITEM.exec(lines[at]);
  const ordered = /\d/.test(mark);
  const nested = indent.length + 2;
  const items = [];
  let [next, content, loose, blank] = [at, 0, false, false];
  while (next < lines.length) {
    const line = lines[next];
    const spaces = line.length - line.trimStart().length;
    const item = ITEM.exec(line);
    if (!line.trim()) {
      blank = true;
    } else if (item && spaces < nested && /\d/.test(item[2]) === ordered && !isRule(line)) {
      content = item[0].length;
      if (blank && items.length) loose = true;
      items.push([line.slice(content)]);
      blank = false;
    } else if (spaces >= nested || (!blank && !startsBlock(lines, next))) {
      const body = items.at(-1);
      if (blank) body.push("");
      body.push(line.slice(Math.min(spaces, content)));
      blank = false;
    } else break;
    next += 1;
  }
  const start = ordered ? Number.parseInt(mark, 10) : null;
  return [{ type: "list", start, loose, items: items.map((body) => blocks(body, depth + 1)) }, next];
}

function startsBlock(lines, at) {
  const line = lines[at];
  return FENCE.test(line) || HEADING.test(line) || QUOTE.test(line) || isRule(line) || interrupts(line);
}

/** A number other than 1 in the middle of a paragraph begins no list. */
function interrupts(line) {
  const item = ITEM.exec(line);
  return Boolean(item) && item[3] !== "" && (!/\d/.test(item[2]) || Number.parseInt(item[2], 10) === 1);
}

function isTable(lines, at) {
  const divider = lines[at + 1] ?? "";
  if (!lines[at].includes("|") || !divider.includes("-")) return false;
  const cells = row(divider);
  return cells.length <= MOST_COLUMNS && cells.every((cell) => /^:?-+:?$/.test(cell)) && cells.length === row(lines[at]).length;
}

function row(line) {
  const cells = [""];
  const text = line.trim().replace(/^\|/, "").replace(/\|$/, "");
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "|") cells.push("");
    else if (text[at] === "\\" && text[at + 1] === "|") cells[cells.length - 1] += text[++at];
    else cells[cells.length - 1] += text[at];
  }
  return cells.map((cell) => cell.trim());
}

function table(lines, at) {
  const align = row(lines[at + 1]).map((cell) =>
    cell.endsWith(":") ? (cell.startsWith(":") ? "center" : "right") : "left");
  const cells = (line) => row(line).slice(0, align.length).map((cell) => inline(cell, 0));
  const rows = [];
  let next = at + 2;
  while (next < lines.length && lines[next].trim() && lines[next].includes("|")) rows.push(cells(lines[next++]));
  return [{ type: "table", align, head: cells(lines[at]), rows }, next];
}

function paragraph(lines, at) {
  const body = [];
  let next = at;
  while (next < lines.length && lines[next].trim() && (next === at || !startsBlock(lines, next))) {
    if (next > at && isTable(lines, next)) break;
    body.push(lines[next++].trimStart());
  }
  return [{ type: "paragraph", children: inline(body.join("\n").trimEnd(), 0) }, next];
}

// -- DOM

/**
 * Shows a text in an element. What is there already stays as it is, so that an answer that grows loses neither
 * the reader's selection nor the focus. `citations` are those of the text, in its order; their markers are
 * buttons with their place in this list.
 */
export function render(text, element, citations = []) {
  const inside = (_, value) => (value?.type === "citation" ? citations[value.at] : value);
  const blocks = parse(marked(text, citations)).map((block) => ({ block, key: JSON.stringify(block, inside) }));
  const shown = element.shownBlocks ?? [];
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  element.shownBlocks = blocks.map(({ block, key }, at) => {
    const before = shown[at];
    if (before?.key === key) return before;
    const fresh = build(block, citations);
    if (before && grow(before.node, fresh)) return { key, node: before.node };
    if (before) before.node.replaceWith(fresh);
    else element.append(fresh);
    return { key, node: fresh };
  });
  for (const { node } of shown.slice(blocks.length)) node.remove();
  const { citation } = focused?.dataset ?? {};
  if (citation && !focused.isConnected) element.querySelector(`[data-citation="${citation}"]`)?.focus({ preventScroll: true });
}

/** Makes an element as another is, by as little as that takes; false where it cannot become that. */
function grow(before, after) {
  if (before.localName !== after.localName) return false;
  if (before.localName === "button") {
    return ["aria-label", "data-citation"].every((name) => before.getAttribute(name) === after.getAttribute(name));
  }
  for (const name of ["class", "start", "colspan"]) {
    if (before.getAttribute(name) === after.getAttribute(name)) continue;
    if (after.hasAttribute(name)) before.setAttribute(name, after.getAttribute(name));
    else before.removeAttribute(name);
  }
  if (before.localName === "a") before.href = after.href;
  // What others put in between, such as an open quotation, is not of the text.
  const own = [...before.childNodes].filter((node) => node.localName !== "aside");
  const fresh = [...after.childNodes];
  fresh.forEach((node, at) => {
    if (!own[at]) before.append(node);
    else if (!becomes(own[at], node)) own[at].replaceWith(node);
  });
  for (const node of own.slice(fresh.length)) node.remove();
  return true;
}

function becomes(before, after) {
  if (before.nodeType !== after.nodeType) return false;
  if (before.nodeType !== Node.TEXT_NODE) return grow(before, after);
  let same = 0;
  while (same < before.length && before.data[same] === after.data[same]) same += 1;
  if (same < before.length || same < after.length) before.replaceData(same, before.length - same, after.data.slice(same));
  return true;
}

/** A block, each written in the direction of its own words. */
function build(block, citations) {
  const element = made(block, citations);
  if (block.type !== "code" && block.type !== "rule") element.dir = "auto";
  return element;
}

function made(block, citations) {
  const node = (name, children = []) => fill(document.createElement(name), children, citations);
  const nested = (name, inner) => {
    const element = document.createElement(name);
    element.append(...inner.map((each) => build(each, citations)));
    return element;
  };
  switch (block.type) {
    case "heading":
      return node(`h${Math.min(block.level + 2, 6)}`, block.children);
    case "rule":
      return node("hr");
    case "code": {
      const pre = document.createElement("pre");
      pre.append(codeOf(block, citations));
      return pre;
    }
    case "quote":
      return nested("blockquote", block.blocks);
    case "list": {
      const element = document.createElement(block.start === null ? "ul" : "ol");
      if (block.start !== null) element.start = block.start;
      element.classList.toggle("loose", block.loose);
      for (const item of block.items) element.append(listItem(item, block.loose, node, nested));
      return element;
    }
    case "table":
      return grid(block, node);
    default:
      return node("p", block.children);
  }
}

function listItem(item, loose, node, nested) {
  const [first, ...rest] = item;
  if (loose || first?.type !== "paragraph") return nested("li", item);
  const element = node("li", first.children);
  element.append(...nested("li", rest).childNodes);
  return element;
}

function grid({ align, head, rows }, node) {
  const wrap = document.createElement("div");
  wrap.className = "table";
  const element = wrap.appendChild(document.createElement("table"));
  const line = (cells, name) => {
    const tr = document.createElement("tr");
    cells.forEach((cell, column) => {
      const td = tr.appendChild(node(name, cell));
      if (name === "th") td.scope = "col";
      td.classList.add(align[column]);
    });
    // One cell for all that a row leaves out: short lines would make a big table.
    const missing = align.length - cells.length;
    if (missing > 0) tr.appendChild(document.createElement(name)).colSpan = missing;
    return tr;
  };
  element.createTHead().append(line(head, "th"));
  element.createTBody().append(...rows.map((cells) => line(cells, "td")));
  return wrap;
}

function fill(element, children, citations) {
  for (const child of children) {
    if (typeof child === "string") element.append(child);
    else if (child.type === "break") element.append(document.createElement("br"));
    else if (child.type === "code") element.append(codeOf(child, citations));
    else if (child.type === "citation") element.append(marker(citations[child.at], child.at));
    else if (child.type === "link") element.append(fill(linked(child), child.children.length ? child.children : [child.href], citations));
    else element.append(fill(document.createElement(child.type), child.children, citations));
  }
  return element;
}

function codeOf({ text }, citations) {
  return Object.assign(document.createElement("code"), { textContent: unmarked(text, citations) });
}

function marker(citation, at) {
  if (!citation) return "";
  const { n, title, verdict } = citation;
  const element = document.createElement("button");
  element.type = "button";
  element.className = "cite";
  element.dataset.citation = at;
  element.dataset.verdict = verdict;
  element.title = title;
  element.textContent = n === null ? VERDICT[verdict] : sign(citation);
  element.setAttribute("aria-label", [n === null ? "Source" : `Source ${n}`, `${title}: ${VERDICT[verdict]}`].join(", "));
  element.setAttribute("aria-haspopup", "dialog");
  return element;
}

function linked({ href }) {
  return anchor(href) ?? document.createElement("span");
}

const OWN = /^\/knowledge\/documents\/([\w-]{8,64})\/chunks(?:\?from=(\d{1,6})(?:&as_of=([0-9a-f]{8}))?)?$/;

/** A link to a passage of one's own documents as they stood then, on the page that shows them. */
function own(...place) {
  const element = document.createElement("a");
  const page = new URL("knowledge/", import.meta.url);
  element.href = `${page.pathname}#${place.filter(Boolean).join(".")}`;
  // What stands on another page is left as it is.
  if (location.pathname !== page.pathname) element.target = "_blank";
  return element;
}

/** A link to the web or to one's own documents, or nothing where it leads elsewhere. */
export function anchor(href) {
  const [, id, number, asOf] = OWN.exec(href) ?? [];
  if (id) return own(id, number, asOf);
  let url;
  try {
    url = new URL(href);
  } catch {
    return null;
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") return null;
  const element = document.createElement("a");
  element.href = url.href;
  element.target = "_blank";
  element.rel = "noopener noreferrer nofollow";
  return element;
}
