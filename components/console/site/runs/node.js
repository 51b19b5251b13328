// One question of a run: where it stands, what was judged of it, its findings with their quotations, its sources
// with their tiers, what was searched for. What pages wrote is text only.

import { conflict } from "../conflict.js";
import { make } from "../dom.js";
import { anchor } from "../markdown.js";
import { rows } from "../rows.js";
import { capital, count, host, list, text, texts } from "../words.js";
import { brought, nodeState, placed, tier } from "./sentences.js";

/** Shows questions in an element, one at a time. `onFork(number)` is called with the event to fork after. */
export function nodeIn(element, onFork) {
  const part = (title, tag, className = "") => {
    const section = element.appendChild(make("section"));
    const heading = section.appendChild(make("h4", "", title));
    const items = section.appendChild(make(tag, className));
    return { section, heading, items };
  };
  const head = element.appendChild(make("h3"));
  head.tabIndex = -1;
  head.dir = "auto";
  const state = element.appendChild(make("p", "quiet"));
  const scores = part("How well it is answered", "div", "scores");
  const findings = part("Findings", "ol", "findings");
  const conflicts = part("Where sources disagree", "ul", "conflicts");
  const sources = part("Sources", "ol", "ranked");
  const dropped = part("Sources left out", "ul", "plain");
  const queries = part("Queries", "ul", "plain");
  const parts = part("Sub-questions left out", "ul", "plain");
  const failures = part("Failed steps", "ul", "plain");
  const fork = element.appendChild(make("button", "plain", "Fork before this question…"));
  fork.type = "button";
  let before = null;
  fork.addEventListener("click", () => onFork(before));

  return {
    focus: () => head.focus(),
    /** Moves the page, where it has to, so that it is seen that it shows one. */
    show: () => head.scrollIntoView({ block: "nearest" }),
    /** Shows a node; `known` has the sources by their names. */
    draw(node, known) {
      element.hidden = false;
      if (head.textContent !== node.question) head.textContent = node.question;
      const more = [node.message, node.visits > 1 ? `Worked on ${node.visits} times.` : ""];
      const words = [`${nodeState(node)}.`, ...more].filter(Boolean).join(" ");
      if (state.textContent !== words) state.textContent = words;
      const fill = ({ section, heading, items }, all, build, title) => {
        rows(items, all, build);
        section.hidden = !all.length;
        if (title && heading.textContent !== title) heading.textContent = title;
      };
      const source = (id) => known.get(id) ?? null;
      fill(scores, node.sufficiency ? [{ ...node.sufficiency, fromChildren: node.fromChildren }] : [], judgement);
      const found = node.findings.map((each) => ({ ...each, sources: list(each.evidence_snippets).map(({ citation_id: id }) => source(id)) }));
      fill(findings, found, finding, count(node.findings.length, "finding"));
      if (node.rejected) findings.heading.textContent += `, and ${count(node.rejected, "quotation")} left out that no source has`;
      fill(conflicts, node.conflicts, conflict);
      fill(sources, node.sources.map(source).filter(Boolean), ranked);
      fill(dropped, node.dropped.map((each) => ({ ...each, source: source(each.id) })), left);
      fill(queries, node.queries, query);
      fill(parts, node.droppedParts, ({ question, reason }) => noted(text(question), text(reason)));
      fill(failures, node.failures, ({ step, message, attempts, fallback }) =>
        noted(`${capital(step)}, after ${count(attempts, "try", "tries")}`, `${message}${fallback ? ` Instead: ${fallback}.` : ""}`));
      before = node.first === null ? null : node.first - 1;
      fork.hidden = !before;
    },
  };
}

const SCORES = [
  ["coverage", "Coverage"], ["quality", "Quality of sources"],
  ["contradiction_handling", "Contradictions named"], ["recency", "Recency"],
];

function judgement({ score, scores, sufficient, rationale, gaps, caps, by, fromChildren }) {
  const box = make("div");
  const verdict = make("p", "");
  verdict.append(make("strong", sufficient ? "good" : "warn", sufficient ? "Enough" : "Not enough"),
    ` – ${number(score)} on average${fromChildren ? ", judged with its sub-questions" : ""}${by === "rule" ? ", by rules" : ""}`);
  const table = make("dl", "bars");
  for (const [key, name] of SCORES) {
    const value = scores?.[key];
    if (typeof value !== "number") continue;
    const row = table.appendChild(make("div"));
    const bar = make("span", "share");
    bar.setAttribute("aria-hidden", "true");
    bar.style.setProperty("--share", String(Math.min(1, Math.max(0, value))));
    row.append(make("dt", "", name), make("dd", "", value.toFixed(2)), bar);
  }
  box.append(verdict, table);
  if (text(rationale)) box.append(make("p", "", rationale));
  box.append(...sentences("Missing", texts(gaps, [])), ...sentences("Lowered by a rule", texts(caps, [])));
  return box;
}

function sentences(title, all) {
  if (!all.length) return [];
  const ul = make("ul", "plain");
  ul.append(...all.map((each) => make("li", "", each)));
  return [make("p", "quiet", `${title}:`), ul];
}

function finding({ claim, evidence_snippets: snippets, confidence, uncertainties, verified, sources }) {
  const item = make("li");
  const words = make("p", "claim", text(claim));
  words.dir = "auto";
  const facts = make("p", "quiet");
  facts.append(make("strong", verified ? "good" : "warn", verified ? "Verified" : "Unverified"), ` · confidence ${number(confidence)}`);
  item.append(words, facts, ...list(snippets).map((snippet, at) => quoted(snippet, sources[at])));
  for (const doubt of texts(uncertainties, [])) item.append(make("p", "doubt", `Uncertain: ${doubt}`));
  return item;
}

/** The words that a finding rests on, and the way to their place. */
function quoted({ quote, citation_id: id }, source) {
  const figure = make("figure");
  const words = make("blockquote", "", text(quote));
  words.dir = "auto";
  const caption = make("figcaption");
  const place = source && anchor(placed(text(source.url), text(quote)));
  if (place) {
    place.textContent = "Open at this place";
    const about = [text(source.title) || host(source.url), host(source.url), tier(source.quality_tier)];
    caption.append(place, make("small", "", about.join(" · ")));
  } else caption.append(make("small", "", source ? text(source.title) : `Source ${text(id)}`));
  figure.append(words, caption);
  return figure;
}

function ranked(source) {
  const item = make("li");
  const { url, title, quality_tier: number_, tier_reason: reason, published, relevance_score: relevance, duplicate_of: copy } = source;
  const badge = make("span", "tier", String(number_));
  badge.dataset.tier = number_;
  badge.setAttribute("aria-label", tier(number_));
  badge.setAttribute("role", "img");
  badge.title = tier(number_);
  const link = anchor(text(url)) ?? make("span");
  link.textContent = text(title) || host(url);
  link.dir = "auto";
  const facts = [host(url), text(published), capital(text(reason)), typeof relevance === "number" ? `fits ${number(relevance)}` : "", text(copy) ? "a copy of another" : ""];
  const words = make("div");
  words.append(link, make("small", "", facts.filter(Boolean).join(" · ")));
  item.append(badge, words);
  return item;
}

function left({ id, reason, source }) {
  return noted(source ? text(source.title) || host(source.url) : `Source ${id}`, reason);
}

function query(each) {
  return noted(`“${each.query}”`, brought(each));
}

function noted(what, why) {
  const item = make("li");
  const words = make("span", "", what);
  words.dir = "auto";
  item.append(words, make("small", "", capital(why)));
  return item;
}

function number(value) {
  return typeof value === "number" ? value.toFixed(2) : "–";
}
