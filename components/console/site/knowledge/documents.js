// The documents of a collection, the one loaded last first.

import { make, text as say } from "../dom.js";
import { complaintOf } from "../form.js";
import { anchor } from "../markdown.js";
import { merged } from "../merged.js";
import { rows } from "../rows.js";
import { count, sentence, text, texts } from "../words.js";
import * as api from "./api.js";

const $ = (id) => document.getElementById(id);

/** Shows documents. `collection()` is the one that is chosen. */
export function documentsIn(ask, collection) {
  let all = [];
  let next = null;
  let turn = 0;
  /** The page that was asked for last. */
  let asked = null;

  async function show(cursor) {
    const mine = ++turn;
    asked = cursor;
    $("documents-part").setAttribute("aria-busy", "true");
    try {
      // A collection that is not there yet begins with its first document.
      const none = (error) => {
        if (error.status !== 404) throw error;
        return { documents: [] };
      };
      const told = await ask(() => api.documents({ collection: collection(), cursor })).catch(none);
      if (mine !== turn) return;
      const behind = told.next_cursor ?? null;
      if (cursor === null) {
        const now = merged(all, told.documents, behind !== null, ({ id }) => id);
        all = now.all;
        if (!now.hasRest) next = behind;
      } else {
        const known = new Set(all.map(({ id }) => id));
        all = [...all, ...told.documents.filter(({ id }) => !known.has(id))];
        next = behind;
      }
      draw();
      say("documents-note", all.length ? "" : "No documents yet.");
      $("more").hidden = next === null;
      $("unlock").hidden = $("again").hidden = true;
    } catch (error) {
      if (mine !== turn) return;
      say("documents-note", sentence(complaintOf(error).message));
      $("unlock").hidden = error.type !== "unauthorized";
      $("again").hidden = !$("unlock").hidden;
    } finally {
      if (mine === turn) $("documents-part").removeAttribute("aria-busy");
    }
  }

  /** The focus stays on the document that has it, wherever that stands now. */
  function draw() {
    const { activeElement: before } = document;
    const at = $("documents").contains(before) ? before.getAttribute("href") : null;
    rows($("documents"), all.map(shown), item);
    const { activeElement: now } = document;
    if (at === null || now.getAttribute("href") === at) return;
    [...$("documents").querySelectorAll("a")].find((each) => each.getAttribute("href") === at)?.focus({ preventScroll: true });
  }

  $("more").addEventListener("click", async () => {
    const before = all.length;
    await show(next);
    $("documents").children[before]?.querySelector("a").focus();
  });

  /** Takes all of them from the page, as another collection is chosen. */
  function clear() {
    turn += 1;
    all = [];
    next = asked = null;
    rows($("documents"), all, item);
    say("documents-note", "Loading…");
    $("more").hidden = true;
  }

  /** Takes one away that is deleted, wherever it stands. */
  function forget(id) {
    all = all.filter((each) => each.id !== id);
    draw();
  }

  return { refresh: () => show(null), again: () => show(asked), clear, forget };
}

/** What of a document is to be said in a line. */
export function about({ metadata = {}, chunks, format, bytes }) {
  const { category, source_org: org, updated, published } = metadata;
  const size = typeof bytes === "number" ? kilobytes(bytes) : "";
  const facts = [text(category), text(org), text(updated) || text(published), typeof chunks === "number" ? count(chunks, "passage") : "", text(format), size];
  return facts.filter(Boolean).join(" · ");
}

/** Shows where a document is published, as it says; what leads nowhere is text. */
export function published(element, { metadata = {} }) {
  const addresses = texts(metadata.source_urls, []);
  element.hidden = addresses.length === 0;
  element.replaceChildren(...addresses.map((address) => {
    const item = make("li");
    const link = anchor(address) ?? make("span");
    link.textContent = address;
    item.append(link);
    return item;
  }));
}

function kilobytes(bytes) {
  return bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024)).toLocaleString("en")} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

function shown(document) {
  return { id: document.id, title: text(document.metadata?.title) || text(document.name), facts: about(document) };
}

function item({ id, title, facts }) {
  const element = make("li");
  const link = make("a", "", title);
  link.href = `#${id}`;
  link.dir = "auto";
  element.append(link, make("small", "", facts));
  return element;
}
