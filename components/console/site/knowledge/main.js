// The page of documents: load, list, search, ask, open.

import { themeButton } from "../appearance.js";
import { Refused } from "../connection.js";
import { asking, closeAll, dialog } from "../dialogs.js";
import { make } from "../dom.js";
import { busy, clear, complain, complaintOf, enterSends, isBusy, read } from "../form.js";
import { rows } from "../rows.js";
import { admitted } from "../server.js";
import { count, sentence, text } from "../words.js";
import { answerIn } from "./answer.js";
import * as api from "./api.js";
import { LEFT, STOPPED, answered } from "./asking.js";
import { DEFAULT, addressOf, named, unescaped } from "./collection.js";
import { about, documentsIn, published } from "./documents.js";
import { noted, vectorsOf } from "./meaning.js";
import { loadsIn } from "./loads.js";
import { found, standing } from "./passage.js";
import { reindexIn } from "./reindex.js";

const $ = (id) => document.getElementById(id);
/** With what the address of an answer begins. */
const ANSWER = "#ask=";

const { ask, unlock } = admitted(asking($("unlocking"), $("secret")), (message) => {
  $("unlocking-why").textContent = message;
});
/** The collection that is chosen. */
let collection = named();
const chosen = () => collection;
/** The one that the address names: that of the document that is looked at, else the chosen one. */
let inAddress = collection;
const documents = documentsIn(ask, chosen);
const answer = answerIn();
const reindex = reindexIn({ ask, chosen, onDone: () => refresh() });
const loads = loadsIn($("loads"), $("spoken"), { ask, chosen, onLoaded: () => refresh() });

// -- Collections

async function collections() {
  const before = chosen();
  const told = await ask(api.collections).catch(() => ({ collections: [] }));
  const names = told.collections.map(({ name }) => name);
  if (!names.includes(DEFAULT)) names.unshift(DEFAULT);
  if (!names.includes(before)) names.push(before);
  $("collection").replaceChildren(...names.map((name) => option(name, name)), option("", "New collection…"));
  $("collection").value = chosen();
  if (chosen() !== before) return;
  const here = told.collections.find(({ name }) => name === before);
  $("documents-about").textContent = here ? `${count(here.documents, "document")}, ${count(here.chunks, "passage")}` : "";
  const stats = here?.chunks ? await ask(() => api.stats(before)).catch(() => ({})) : {};
  if (chosen() !== before) return;
  $("embedding").textContent = vectorsOf(stats.embedding);
  $("embedding").hidden = !stats.embedding;
  reindex.show(here?.chunks ?? 0, stats);
}

async function refresh() {
  await documents.refresh();
  await collections();
}

/** What could not be loaded is asked for once more. */
async function again() {
  await documents.again();
  await collections();
}

$("again").addEventListener("click", async () => {
  await again();
  if ($("again").hidden) ($("documents").querySelector("a") ?? $("files")).focus();
});
addEventListener("online", () => $("again").checkVisibility() && again());

/**
 * Turns to another collection: what was asked, found and listed in the one before leaves the page. Files on their way
 * stay, and name the one that they are for.
 */
function turnTo(name) {
  collection = name;
  const isOffered = [...$("collection").options].some(({ value }) => value === name);
  if (!isOffered) $("collection").prepend(option(name, name));
  $("collection").value = name;
  leave();
  shown = null;
  settle("idle");
  clear($("question"));
  $("answer-part").hidden = $("found-part").hidden = $("embedding").hidden = true;
  for (const id of ["stopped", "documents-about", "reindex-note"]) $(id).textContent = "";
  documents.clear();
  reindex.show(0, {});
  loads.turn();
}

/** Whether the field of collections has the focus since one was chosen there. */
let isPassing = false;

/** Turns to a collection that a person has chosen, which the address names from now on. */
function choose(name) {
  if (name !== chosen()) {
    turnTo(name);
    // Arrow keys choose each that they pass: the way back leads to the one before all of them.
    history[isPassing ? "replaceState" : "pushState"](null, "", addressOf(name));
    goOnIn(name);
    isPassing = document.activeElement === $("collection");
  }
  return refresh();
}

$("collection").addEventListener("blur", () => { isPassing = false; });

// The way back leads to the collection before.
addEventListener("popstate", () => {
  isPassing = false;
  if (named() !== inAddress) route();
});

function option(value, words) {
  const element = make("option", "", words);
  element.value = value;
  return element;
}

$("collection").addEventListener("change", () => {
  const { value } = $("collection");
  if (value) return choose(value);
  $("collection").value = chosen();
  naming.open();
});

const naming = dialog($("naming"), async ({ name }, signal) => {
  if (!name) throw new Refused(400, { field: "name", message: "Write a name first." });
  // Whether it may be called so the server says; that there is none yet is no fault.
  await ask(() => api.documents({ collection: name }, signal)).catch((error) => {
    if (error.status !== 404) throw Object.assign(error, { field: "name" });
  });
  if (!signal.aborted) choose(name);
});

// -- Asking and searching

/** The request under way; a later one takes its place. */
let underWay = null;
/** The id of the answer on the page. */
let shown = null;
/** Whether an address leads to it. */
let hasAddress = false;
/** The question that was asked last. */
let lastAsked = "";

$("question").addEventListener("submit", (event) => {
  event.preventDefault();
  const form = $("question");
  const button = event.submitter ?? $("ask");
  // What is being answered is stopped before another is asked.
  if (button === $("ask") && isBusy(button)) return;
  clear(form);
  $("stopped").textContent = "";
  const { body } = read(form);
  if (!body.query) return complain(form, { field: "query", message: "Write a question first." });
  lastAsked = body.query;
  const asked = { ...body, collection: chosen() };
  if (button.value === "find") perform(button, async (signal) => showFound(await ask(() => api.search(asked, signal))));
  else answerBy((options) => api.ask(asked, options), null);
});

/** Does what a button of the form is for. */
async function perform(button, work) {
  underWay?.abort();
  const mine = new AbortController();
  underWay = mine;
  for (const each of [$("ask"), $("find")]) busy(each, each === button);
  $("stop").hidden = button !== $("ask");
  document.body.dataset.phase = "running";
  try {
    await work(mine.signal);
  } catch (error) {
    if (underWay !== mine) return;
    if (mine.signal.aborted) stopped();
    else complain($("question"), complaintOf(error));
  } finally {
    if (underWay === mine) settle(mine.signal.aborted ? "stopped" : "done");
  }
}

/** Turns from what is under way. An answer without an address does not go on: nobody would find it, or is to pay for it. */
function leave() {
  underWay?.abort(hasAddress ? LEFT : undefined);
  underWay = null;
}

/** Shows an answer that comes by `open(options)`; `id` is that of one that was begun before. */
function answerBy(open, id) {
  shown = id;
  hasAddress = id !== null;
  $("found-part").hidden = true;
  const onBegun = (begun) => (id ? fillIn(begun) : arrived(begun));
  return perform($("ask"), async (signal) => {
    showAnswer(await ask(() => answered(open, { id, signal, answer, onBegun })));
  });
}

/** Shows the answer that the address names. */
function rejoined(id) {
  leave();
  clear($("question"));
  $("stopped").textContent = "";
  // What is typed and not asked yet is kept.
  if (isAsked(lastAsked)) $("query").value = "";
  answerBy((options) => api.joinAsk(id, options), id);
}

/** Whether the field holds a question as it was asked. */
function isAsked(query) {
  return $("query").value.trim() === query.trim();
}

function fillIn({ query }) {
  if (!$("query").value) $("query").value = query;
  if (isAsked(query)) lastAsked = query;
}

function arrived({ id }) {
  shown = id;
  // Whoever looks at a document meanwhile has its address: the answer's is there when they come back.
  if (!current && id) nameAnswer();
}

/** The address names the answer from now on, so that a reload shows it again. */
function nameAnswer() {
  history[location.hash ? "pushState" : "replaceState"](null, "", `${ANSWER}${shown}`);
  hasAddress = true;
}

/** Nothing is asked or searched for any more. */
function settle(phase) {
  const hadFocus = document.activeElement === $("stop");
  for (const each of [$("ask"), $("find")]) busy(each, false);
  $("stop").hidden = true;
  if (hadFocus) $("ask").focus();
  document.body.dataset.phase = phase;
}

function stopped() {
  answer.breakOff();
  $("stopped").textContent = $("answer-part").hidden ? "Stopped." : "Stopped. What was written so far is below.";
}

$("stop").addEventListener("click", () => underWay?.abort(STOPPED));

function showAnswer(told) {
  answer.draw(told);
  // Who has gone on meanwhile, to a quotation or a document, is not called back.
  const { activeElement: at } = document;
  if (at === document.body || $("question").contains(at)) $("answer").focus({ preventScroll: true });
  $("spoken").textContent = `The answer is ready. ${text(told.confidence?.level)} confidence.`;
}

function showFound({ chunks, notes }) {
  $("answer-part").hidden = true;
  $("found-part").hidden = false;
  $("found-about").textContent = chunks.length ? count(chunks.length, "passage") : "Nothing matches: try other words, or another collection.";
  noted($("found-note"), notes);
  rows($("found"), chunks, found);
  $("found-title").focus({ preventScroll: true });
  $("spoken").textContent = chunks.length ? `${count(chunks.length, "passage")} found.` : "Nothing was found.";
}

enterSends($("question"), $("ask"));

// -- Loading

function take(files) {
  const collection = chosen();
  loads.add(files.map((file) => {
    const send = (isMeant, onProgress) => api.loadFile(file, collection, isMeant, onProgress);
    return { name: file.webkitRelativePath || file.name, size: file.size, collection, send };
  }));
}

$("files").addEventListener("change", () => {
  take([...$("files").files]);
  $("files").value = "";
});

const drop = $("drop");
for (const name of ["dragenter", "dragover"]) {
  drop.addEventListener(name, (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    drop.dataset.over = "true";
  });
}
for (const name of ["dragleave", "drop"]) drop.addEventListener(name, () => { delete drop.dataset.over; });
drop.addEventListener("drop", (event) => {
  if (!event.dataTransfer.types.includes("Files")) return;
  event.preventDefault();
  take([...event.dataTransfer.files]);
});
// A file that misses the box would replace the page; words may be dragged into a field.
for (const name of ["dragover", "drop"]) addEventListener(name, (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());

$("by-address").addEventListener("submit", (event) => {
  event.preventDefault();
  const form = $("by-address");
  clear(form);
  const { body } = read(form);
  if (!body.url) return complain(form, { field: "url", message: "Write an address first." });
  const request = { ...body, collection: chosen() };
  loads.add([{ name: body.url, size: 0, collection: chosen(), send: (_, onProgress) => api.loadDocument(request, onProgress) }]);
  form.reset();
});

$("clear").addEventListener("click", () => {
  loads.clear();
  $("files").focus();
});

// -- One document

/**
 * The document on the page: its id, the chunks that are shown, what comes next, and whether it was changed since it was
 * cited; null on the first page.
 */
let current = null;

/** Opens a document at the `number` of a chunk, for what was `quoted` of it in the state `asOf`. */
async function open({ id, number, asOf, quoted }) {
  const mine = { id, number, asOf, quoted, chunks: [], next: null, isChanged: false };
  current = mine;
  $("home").hidden = true;
  $("document").hidden = false;
  $("all").removeAttribute("aria-current");
  $("document-title").textContent = "";
  $("document-note").textContent = "";
  $("document-about").textContent = "Loading…";
  $("reopen").hidden = $("forget-it").hidden = true;
  noted($("document-read"), []);
  published($("published"), {});
  $("chunks").replaceChildren();
  $("changed").hidden = true;
  try {
    const told = await ask(() => api.document_(id));
    if (current !== mine) return;
    $("forget-it").hidden = false;
    $("document-title").textContent = text(told.metadata?.title) || text(told.name);
    $("document-about").textContent = about(told);
    noted($("document-read"), told.notes);
    published($("published"), told);
    settleIn(text(told.collection));
    document.title = `${$("document-title").textContent} – Quarry`;
    await more(mine, Math.max(0, (number ?? 0) - 2));
    const isStale = mine.isChanged || !isWhereItWas(mine);
    const now = isStale ? await placeNow(mine) : number;
    if (current !== mine) return;
    if (isStale) sayStale(mine, now === null ? "What was quoted was not found in it:" : "The marked passage says what was quoted:");
    const passage = now === null ? null : document.getElementById(`chunk-${now}`);
    for (const each of $("chunks").children) each.removeAttribute("aria-current");
    passage?.setAttribute("aria-current", "true");
    (passage ?? $("document-title")).focus({ preventScroll: true });
    passage?.scrollIntoView({ block: "center" });
  } catch (error) {
    if (current !== mine) return;
    if ($("forget-it").hidden) $("document-about").textContent = "";
    $("document-note").textContent = sentence(complaintOf(error).message);
    $("reopen").hidden = error.status === 404;
    if (error.status === 404 && quoted) sayStale(mine, "What was quoted of it:");
  }
}

/**
 * A document is in one collection, whichever was chosen: whoever goes on from it is in that one. Who goes back is where
 * they were, with the answer that they left: so the first page turns when it is shown.
 */
function settleIn(name) {
  if (!name || name === inAddress) return;
  history.replaceState(null, "", addressOf(name, location.hash));
  goOnIn(name);
}

/** The address names a collection from now on, and whoever goes on from it is in that one. */
function goOnIn(name) {
  inAddress = name;
  $("all").href = addressOf(name);
}

/** Passages that are looked through for what was quoted, in hundreds. */
const MOST_PAGES = 20;

const folded = (words) => words.replace(/\s+/g, " ").trim();

/** Whether a passage says what was quoted; of a long quotation a sign stands for the rest. */
function saysSo({ text: words }, quoted) {
  return folded(words).includes(folded(quoted).replace(/…$/, ""));
}

/** Whether what was quoted stands where it stood. Where the state is known, that says so; older citations have none. */
function isWhereItWas({ number, asOf, quoted, chunks }) {
  return asOf !== undefined || number === null || !quoted || chunks.some((each) => each.number === number && saysSo(each, quoted));
}

/** The number of the passage that says now what was quoted, wherever it stands; null where none does. */
async function placeNow(mine) {
  if (!mine.quoted) return null;
  Object.assign(mine, { chunks: [], next: 0 });
  for (let page = 0; page < MOST_PAGES && mine.next !== null && current === mine; page += 1) {
    await more(mine, mine.next);
    const passage = mine.chunks.find((each) => saysSo(each, mine.quoted));
    if (passage) return passage.number;
  }
  return null;
}

/** Says that a document is not the one that was cited, and what was quoted of it. */
function sayStale({ isChanged, quoted }, where) {
  $("changed").hidden = false;
  const [says, words] = $("changed").children;
  const since = isChanged ? "This document was changed since it was cited." : "This document may have been changed since it was cited.";
  says.textContent = [since, quoted ? where : ""].join(" ").trim();
  words.textContent = quoted;
  words.hidden = !quoted;
}

$("reopen").addEventListener("click", async () => {
  await open(current);
  if (!$("reopen").hidden) $("reopen").focus();
});

async function more(mine, from) {
  const told = await ask(() => api.chunks(mine.id, from, mine.asOf));
  if (current !== mine) return;
  mine.isChanged = told.changed === true;
  mine.chunks = [...mine.chunks, ...told.chunks];
  mine.next = told.next ?? null;
  rows($("chunks"), mine.chunks, standing);
  $("more-chunks").hidden = mine.next === null;
}

$("more-chunks").addEventListener("click", async () => {
  const { length } = current.chunks;
  await more(current, current.next).catch((error) => {
    $("document-note").textContent = sentence(complaintOf(error).message);
  });
  $("chunks").children[length]?.focus();
});

const forget = dialog($("forget"), async (_, signal) => {
  const { id } = current;
  await ask(() => api.forget(id));
  documents.forget(id);
  if (current?.id !== id) return refresh();
  if (signal.aborted) open(current);
  else location.hash = "";
});

$("forget-it").addEventListener("click", () => {
  $("forget-what").textContent = $("document-title").textContent;
  forget.open();
});

// -- Pages

/** A document, the number of a passage, the state in which it was cited, and what was quoted of it. */
const PLACE = /^#([\w-]{8,64})(?:\.(\d{1,6})(?:\.([0-9a-f]{8}))?)?(?:~(.{0,8000}))?$/;

function route() {
  closeAll();
  goOnIn(named());
  const [, id, number, asOf, quoted] = PLACE.exec(location.hash) ?? [];
  if (id) return open({ id, number: number === undefined ? null : Number(number), asOf, quoted: unescaped(quoted ?? "") });
  const from = current;
  current = null;
  $("home").hidden = false;
  $("document").hidden = true;
  document.title = "Knowledge – Quarry";
  $("all").setAttribute("aria-current", "page");
  if (named() !== chosen()) turnTo(named());
  const [, asked] = /^#ask=([\w-]{8,64})$/.exec(location.hash) ?? [];
  if (asked && asked !== shown) rejoined(asked);
  else if (!from) $("query").focus({ preventScroll: true });
  if (shown && !hasAddress) nameAnswer();
  return refresh();
}

addEventListener("hashchange", route);
$("all").addEventListener("click", (event) => {
  event.preventDefault();
  if (location.hash) location.hash = "";
});
$("unlock").addEventListener("click", async () => {
  if (await unlock()) refresh();
});
$("skip").addEventListener("click", () => $("main").focus());
themeButton($("theme"));
route();
