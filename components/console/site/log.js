// The raw events of an ask or a run, for who wants to see them.

import { text } from "./dom.js";

/** Adds only what is new; nothing while the log is closed. */
export function log(events) {
  const pre = document.getElementById("events");
  const box = document.getElementById("log");
  if (pre.childNodes.length > events.length) pre.replaceChildren();
  text("log-count", events.length ? String(events.length) : "");
  box.ontoggle = () => log(events);
  if (!box.open) return;
  const fresh = events.slice(pre.childNodes.length);
  pre.append(...fresh.map(({ number, name, data }) => `${number ?? "–"} ${name} ${JSON.stringify(data)}\n`));
}
