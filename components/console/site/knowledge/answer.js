// An answer from the documents: its text, how far it can be relied on, where it comes from.

import { citation, proof as proofOf } from "../evidence.js";
import { anchor, render } from "../markdown.js";
import { quotations } from "../quotation.js";
import { make } from "../dom.js";
import { proof } from "../proof.js";
import { takeIn, whole } from "../take.js";
import { noted } from "./meaning.js";
import { count, duration, list, sentence, text } from "../words.js";

const $ = (id) => document.getElementById(id);

/** Shows answers. */
export function answerIn() {
  const keepQuotation = quotations($("answer"));
  let taken = "";
  takeIn($("take"), $("spoken"), () => ({ text: taken, shown: $("answer") }));

  /** The text, with what is known of its places. */
  function write(words, places, isWriting) {
    const element = $("answer");
    element.classList.toggle("writing", isWriting);
    element.setAttribute("aria-busy", String(isWriting));
    render(words, element, places);
    keepQuotation(places);
  }

  return {
    /** Shows what there is of an answer that is under way. What it rests on is told when it is whole. */
    begin({ answer, citations, status }) {
      for (const id of ["take", "proof", "answer-note", "cited", "related"]) $(id).hidden = true;
      $("confidence").textContent = "";
      $("answer-about").textContent = status;
      write(answer, citations, true);
      $("answer-part").hidden = false;
    },
    /** No more of it comes. */
    breakOff() {
      $("answer").classList.remove("writing");
      $("answer").setAttribute("aria-busy", "false");
      $("answer-about").textContent = "";
      $("answer-part").hidden = !$("answer").hasChildNodes();
    },
    draw(told) {
      const { content, verifiedCitations, confidence, sources, relatedDocs, notes, metadata = {} } = told;
      const places = list(verifiedCitations)
        .filter(({ start, end }) => Number.isInteger(start) && Number.isInteger(end))
        .map(citation)
        .sort((one, other) => one.start - other.start);
      write(text(content), places, false);
      // What is cited has the same name wherever it is.
      taken = whole(text(content), places, [...new Map(places.map((each) => [each.n, each])).values()]);
      $("take").hidden = false;
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
