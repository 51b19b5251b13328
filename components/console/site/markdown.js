// Markdown as DOM nodes. Text stays text: nothing here parses HTML, so nothing in an answer can
// become markup. Links lead only to http(s); images become links to them.

/** Renders Markdown into a fragment. */
export function render(text) {
  const fragment = document.createDocumentFragment();
  blocks(text.replace(/\r\n?/g, "\n").split("\n"), fragment);
  return fragment;
}

const LIST = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const FENCE = /^\s*(```+|~~~+)\s*([\w+-]*)\s*$/;
const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
const RULE = /^\s*([-*_])(\s*\1){2,}\s*$/;
const DIVIDER = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

function blocks(lines, parent) {
  let at = 0;
  while (at < lines.length) {
    const line = lines[at];
    const fence = FENCE.exec(line);
    if (!line.trim()) at += 1;
    else if (fence) at = code(lines, at, fence, parent);
    else if (HEADING.test(line)) {
      const [, marks, title] = HEADING.exec(line);
      inline(title, append(parent, `h${Math.min(marks.length + 2, 6)}`));
      at += 1;
    } else if (RULE.test(line)) {
      append(parent, "hr");
      at += 1;
    } else if (line.startsWith(">")) at = quotation(lines, at, parent);
    else if (LIST.test(line)) at = list(lines, at, parent);
    else if (line.includes("|") && DIVIDER.test(lines[at + 1] ?? "")) at = table(lines, at, parent);
    else at = paragraph(lines, at, parent);
  }
}

function code(lines, at, [, mark], parent) {
  const body = [];
  let next = at + 1;
  while (next < lines.length && !lines[next].trim().startsWith(mark)) body.push(lines[next++]);
  append(append(parent, "pre"), "code").textContent = body.join("\n");
  return next + 1;
}

function quotation(lines, at, parent) {
  const body = [];
  let next = at;
  while (next < lines.length && lines[next].startsWith(">")) body.push(lines[next++].replace(/^>\s?/, ""));
  blocks(body, append(parent, "blockquote"));
  return next;
}

function list(lines, at, parent) {
  const [, indent, mark] = LIST.exec(lines[at]);
  const element = append(parent, /\d/.test(mark) ? "ol" : "ul");
  if (/\d/.test(mark)) element.start = Number.parseInt(mark, 10);
  let next = at;
  while (next < lines.length) {
    const item = LIST.exec(lines[next]);
    if (!item || item[1].length !== indent.length || /\d/.test(item[2]) !== /\d/.test(mark)) break;
    const body = [item[3]];
    next += 1;
    while (next < lines.length && lines[next].startsWith(`${indent}  `)) body.push(lines[next++].slice(indent.length + 2));
    const li = append(element, "li");
    if (body.length === 1) inline(body[0], li);
    else {
      inline(body[0], li);
      blocks(body.slice(1), li);
    }
  }
  return next;
}

function table(lines, at, parent) {
  const element = append(parent, "table");
  const cells = (line) => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());
  const head = append(append(element, "thead"), "tr");
  cells(lines[at]).forEach((cell) => inline(cell, append(head, "th")));
  const body = append(element, "tbody");
  let next = at + 2;
  while (next < lines.length && lines[next].includes("|")) {
    const row = append(body, "tr");
    cells(lines[next++]).forEach((cell) => inline(cell, append(row, "td")));
  }
  return next;
}

function paragraph(lines, at, parent) {
  const body = [];
  let next = at;
  const ends = (line) => !line.trim() || FENCE.test(line) || HEADING.test(line) || line.startsWith(">") || LIST.test(line);
  while (next < lines.length && (next === at || !ends(lines[next]))) body.push(lines[next++].trim());
  inline(body.join("\n"), append(parent, "p"));
  return next;
}

// One alternative for each inline form; what matches none is text.
const INLINE = new RegExp(
  [
    "(?<code>`+)(?<codeText>[^`](?:.*?[^`])?)\\k<code>(?!`)",
    "!?\\[(?<label>[^\\[\\]]*)\\]\\((?<href>[^()\\s]+(?:\\([^()\\s]*\\)[^()\\s]*)*)(?:\\s+\"[^\"]*\")?\\)",
    "(?<bare>https?://[^\\s<>\"')\\]]+[^\\s<>\"')\\].,;:!?])",
    "\\*\\*(?<strong>(?=\\S).+?(?<=\\S))\\*\\*",
    "(?<![\\w*])[*_](?<em>(?=\\S)[^*_]+?(?<=\\S))[*_](?![\\w*])",
    "\\\\(?<escaped>[\\\\`*_{}\\[\\]()#+.!|>-])",
  ].join("|"),
  "gs",
);

function inline(text, parent) {
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    parent.append(text.slice(from, match.index));
    from = match.index + match[0].length;
    const { codeText, label, href, bare, strong, em, escaped } = match.groups;
    if (codeText !== undefined) append(parent, "code").textContent = codeText;
    else if (href !== undefined) link(href, label, parent);
    else if (bare !== undefined) link(bare, bare, parent);
    else if (strong !== undefined) inline(strong, append(parent, "strong"));
    else if (em !== undefined) inline(em, append(parent, "em"));
    else parent.append(escaped);
  }
  parent.append(text.slice(from));
}

/** A link, or its label as text where it leads elsewhere than to the web. */
export function link(href, label, parent) {
  const address = web(href);
  if (!address) {
    inline(label, parent);
    return;
  }
  const element = append(parent, "a");
  element.href = address;
  element.target = "_blank";
  element.rel = "noopener noreferrer nofollow";
  element.textContent = label || address;
}

function web(href) {
  try {
    const url = new URL(href);
    return url.protocol === "https:" || url.protocol === "http:" ? url.href : null;
  } catch {
    return null;
  }
}

function append(parent, name) {
  return parent.appendChild(document.createElement(name));
}
