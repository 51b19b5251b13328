// Forms: what their fields say as the body of a request, and complaints where they belong. A field has the name that
// the interface has for it, with dots for nesting, so what the server says of a name finds its field.

import { Refused } from "./connection.js";
import { make } from "./dom.js";
import { sentence } from "./words.js";

/** What a form says: `{ body }` without what is empty or disabled, or `{ complaint }` where a number is none. */
export function read(form) {
  const body = {};
  for (const field of form.querySelectorAll("[data-field]:not(:disabled)")) {
    if (field.validity?.badInput) return { complaint: { field: field.dataset.field, message: "Enter a number." } };
    const value = valueOf(field);
    if (value !== null) lay(body, field.dataset.field.split("."), value);
  }
  return { body };
}

function valueOf(field) {
  if (field.localName === "fieldset") return field.querySelector(":checked")?.value ?? null;
  if (field.type === "checkbox") return field.checked || null;
  const value = field.value.trim();
  if (value === "") return null;
  if (field.type === "number") return Number(value);
  if (field.dataset.kind === "list") return value.split(",").map((each) => each.trim()).filter(Boolean);
  return value;
}

function lay(object, [name, ...rest], value) {
  if (rest.length) lay((object[name] ??= {}), rest, value);
  else object[name] = value;
}

/** Says of a button that what it does is under way. One that were disabled would lose the focus. */
export function busy(button, isUnderWay) {
  button.setAttribute("aria-disabled", String(isUnderWay));
}

/** Whether it is under way. */
export function isBusy(button) {
  return button.getAttribute("aria-disabled") === "true";
}

/** Has Enter send a form from its texts of several lines, as it does from those of one; with Shift it begins a line. */
export function enterSends(form, submitter) {
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.altKey || event.target.localName !== "textarea") return;
    // It may only end a word that is being composed. Safari counts that as over by then; the key has this code.
    if (event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    if (!event.repeat) form.requestSubmit(submitter);
  });
}

/** Says of a field that it is wrong, and where it stands why; only until it is changed. */
export function mark(field, id) {
  unmark(field);
  const before = field.getAttribute("aria-describedby");
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-errormessage", id);
  field.setAttribute("aria-describedby", before ? `${before} ${id}` : id);
  field.addEventListener("input", changed);
}

function changed({ currentTarget: field }) {
  const words = document.getElementById(field.getAttribute("aria-errormessage"));
  unmark(field);
  if (words?.matches(".wrong")) words.remove();
  else if (words?.matches("#complaint")) words.textContent = "";
}

/** Takes that back. */
export function unmark(field) {
  const id = field.getAttribute("aria-errormessage");
  if (id === null) return;
  const rest = (field.getAttribute("aria-describedby") ?? "").split(" ").filter((each) => each !== id);
  field.removeAttribute("aria-invalid");
  field.removeAttribute("aria-errormessage");
  if (rest.length) field.setAttribute("aria-describedby", rest.join(" "));
  else field.removeAttribute("aria-describedby");
  field.removeEventListener("input", changed);
}

/** Takes every complaint from a form. */
export function clear(form) {
  for (const each of form.querySelectorAll(".wrong")) each.remove();
  for (const field of form.querySelectorAll("[aria-invalid]")) unmark(field);
  const words = form.querySelector(".complaint");
  if (words) words.textContent = "";
}

/** Says what is wrong, at its field where there is one, and puts the focus there. */
export function complain(form, { field: name, message }) {
  const field = name && form.querySelector(`[data-field="${CSS.escape(name)}"]`);
  if (!field) {
    form.querySelector(".complaint").textContent = sentence(message);
    return;
  }
  for (let each = field.parentElement; each; each = each.parentElement) {
    if (each.localName === "details") each.open = true;
  }
  // It stands at its field, which has a label.
  const words = make("small", "wrong", sentence(message.replace(`\`${name}\` `, "")));
  // Two forms of a page may have a field of the same name.
  words.id = `wrong-${form.id || form.parentElement.id}-${name}`;
  words.setAttribute("role", "alert");
  mark(field, words.id);
  (field.closest(".box") ?? field).after(words);
  (field.localName === "fieldset" ? field.querySelector("input") : field).focus();
}

/** What is wrong, of an error: its field, and words for people. */
export function complaintOf(error) {
  if (error instanceof Refused) return { field: error.field, message: error.message };
  return { field: null, message: "Quarry cannot be reached. Check that it runs and that you are online." };
}
