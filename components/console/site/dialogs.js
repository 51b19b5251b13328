// The dialogs of the page: each is a form, sent until the server takes it or the person lets it be.

import { busy, clear, complain, complaintOf, enterSends, isBusy, read } from "./form.js";

/** Closes what is open: what is asked there is about the page that is left. */
export function closeAll() {
  for (const each of document.querySelectorAll("dialog[open]")) each.close();
}

/**
 * Makes a dialog of an element. `open(field)` shows it empty; `send(body, signal)` sends what it says and throws where
 * that is refused. `signal` is aborted when the dialog closes meanwhile: the person has let it be. What it held is gone
 * when it closes.
 */
export function dialog(element, send) {
  const form = element.querySelector("form");
  const submit = form.querySelector("[type=submit]");
  let back = null;
  /** What is being sent. */
  let sending = null;
  enterSends(form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isBusy(submit)) return;
    clear(form);
    const { body, complaint } = read(form);
    if (complaint) return complain(form, complaint);
    busy(submit, true);
    const { signal } = sending = new AbortController();
    try {
      await send(body, signal);
      // It may be open once more, for something else.
      if (!signal.aborted) element.close();
    } catch (error) {
      if (signal.aborted) return;
      complain(form, complaintOf(error));
      element.dispatchEvent(new CustomEvent("refused", { detail: error }));
      const words = form.querySelector(".complaint");
      if (words.textContent) words.scrollIntoView({ block: "nearest" });
    } finally {
      if (!signal.aborted) busy(submit, false);
    }
  });
  element.addEventListener("click", (event) => {
    if (event.target.closest("[data-close]")) element.close();
  });
  element.addEventListener("close", () => {
    sending?.abort();
    busy(submit, false);
    form.reset();
    clear(form);
    const target = back?.checkVisibility() ? back : document.getElementById("progress") ?? document.getElementById("main");
    if (target.checkVisibility()) target.focus({ preventScroll: true });
  });
  return {
    /** Shows it. `field` is where the focus goes. */
    open(field = null) {
      if (element.open) return;
      back = document.activeElement;
      for (const each of form.querySelectorAll("details")) each.open = false;
      element.showModal();
      (field ?? form.querySelector("[autofocus]") ?? form.querySelector("textarea, input, button"))?.focus();
    },
  };
}

/** Asks for a text in a dialog; resolves with it, or with null where the person lets it be. */
export function asking(element, field) {
  const form = element.querySelector("form");
  let settle = null;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { value } = field;
    settle?.(value.trim() ? value : null);
    element.close();
  });
  element.addEventListener("click", (event) => {
    if (event.target.closest("[data-close]")) element.close();
  });
  element.addEventListener("close", () => {
    settle?.(null);
    settle = null;
    form.reset();
  });
  return () => new Promise((resolve) => {
    settle?.(null);
    settle = resolve;
    if (!element.open) element.showModal();
    field.focus();
  });
}
