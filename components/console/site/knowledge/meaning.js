// How a collection knows what words mean, and what was not as it is set up to be.

import { count, dollars, isKnown, sentence, text, texts } from "../words.js";

/** The model of embeddings of a collection, and what it took; nothing of one that has none. */
export function vectorsOf(embedding) {
  if (!embedding) return "";
  const { model, dimension, vectors } = embedding;
  return [
    `Meaning by ${text(model)}`,
    count(Number(dimension), "dimension"),
    count(Number(vectors), "vector"),
    price(embedding),
  ].join(" · ");
}

/** What the vectors of a load were paid with; nothing where nothing was. */
export function paidFor(embedding) {
  return embedding?.tokens > 0 ? price(embedding) : "";
}

function price({ tokens, cost }) {
  return `${count(Number(tokens), "token")}, ${dollars({ usd: cost, known: isKnown(undefined, cost) })}`;
}

/** How far a model is that makes vectors. */
export function howFar({ done, chunks }) {
  return `${done.toLocaleString("en")} of ${count(chunks, "passage")}`;
}

/** Shows notes where there are any. */
export function noted(element, notes) {
  const told = texts(notes, []);
  element.textContent = told.map(sentence).join(" ");
  element.hidden = told.length === 0;
}
