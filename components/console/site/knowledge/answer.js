// An answer from the documents: its text, how far it can be relied on, where it comes from.

import { citation, proof as proofOf } from "../evidence.js";
import { anchor, render } from "../markdown.js";
import { quotations } from "../quotation.js";
import { make } from "../dom.js";
import { proof } from "../proof.js";
import { noted } from "./meaning.js";
import { count, duration, list, sentence, text } from "../words.js";

const $ = (id) => document.getElementById(id);

/** Shows answers. */
export function answerIn() {
  const keepQuotation = quotations($("answer"));
  return {
    draw(told) {
      const { content, verifiedCitations, confidence, sources, relatedDocs, notes, metadata = {} } = told;
      const places = list(verifiedCitations)
        .filter(({ start, end }) => Number.isInteger(start) && Number.isInteger(end))
        .map(citation)
        .sort((one, other) => one.start - other.start);
      render(text(content), $("answer"), places);
      keepQuotation(places);
      $("confidence").textContent = confidence ? `${confidence.level} confidence. ${sentence(text(confidence.reason))}` : "";
      proof({ citations: places, proof: proofOf(told) }, $("proof"));
      noted($("answer-note"), notes);
      $("answer-about").textContent = [
        metadata.model ? text(metadata.model) : "no language model",
        typeof metadata.chunksRetrieved === "number" ? `${count(metadata.chunksRetrieved, "passage")} found, ${metadata.chunksUsed ?? 0} cited` : "",
        duration(metadata.latencyMs),
      ].filter(Boolean).join(" · ");
      named($("cited"), list(sources), ({ title, url, org, section }) => line(title, url, [section, org]));
      named($("related"), list(relatedDocs), ({ title, docId, category }) => line(title, docId && `#${docId}`, [category]));
      $("answer-part").hidden = false;
    },
  };
}

function named(element, items, build) {
  element.hidden = items.length === 0;
  element.querySelector("ul").replaceChildren(...items.map(build));
}

function line(title, address, facts) {
  const element = make("li");
  const link = text(address).startsWith("#") ? own(address) : anchor(text(address)) ?? make("span");
  link.textContent = text(title) || text(address);
  link.dir = "auto";
  element.append(link);
  const words = facts.map(text).filter(Boolean).join(" · ");
  if (words) element.append(make("small", "", words));
  return element;
}

function own(place) {
  const link = make("a");
  link.href = place;
  return link;
}
