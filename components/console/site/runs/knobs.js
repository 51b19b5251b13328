// The fields of the knobs, made of what the server says of them, so that a knob that is new or has another range is
// here by itself.

import { knobs } from "./api.js";
import { make } from "../dom.js";

let known = null;

/**
 * Fills the knobs' part of a form when it is opened for the first time. `now()` gives the values that hold while a
 * field is empty, where they are known.
 */
export function knobsIn(form, now = () => null) {
  const part = form.querySelector("[data-knobs]");
  part.addEventListener("toggle", async () => {
    if (!part.open) return;
    const box = part.querySelector(".fields") ?? part.appendChild(make("div", "fields"));
    if (!box.querySelector("[data-field]")) await fill(part, box);
    const values = now();
    for (const field of box.querySelectorAll("[data-field]")) {
      const value = field.dataset.field.split(".").slice(1).reduce((all, name) => all?.[name], values);
      if (field.localName === "select") field.options[0].textContent = value === undefined ? "" : `now ${value}`;
      else field.placeholder = value === undefined ? "" : `now ${value}`;
    }
  });
}

async function fill(part, box) {
  part.setAttribute("aria-busy", "true");
  try {
    known ??= await knobs();
    box.replaceChildren(...fields(known, "config", part.closest("form").parentElement.id));
  } catch {
    known = null;
    box.replaceChildren(make("p", "wide wrong", "The settings could not be loaded. Close this section and open it again."));
  } finally {
    part.removeAttribute("aria-busy");
  }
}

function fields(schemas, path, place) {
  return Object.entries(schemas).flatMap(([name, schema]) => {
    const full = `${path}.${name}`;
    return schema.properties ? fields(schema.properties, full, place) : [field(schema, full, place)];
  });
}

function field({ description = "", minimum, maximum, enum: words, type }, path, place) {
  const line = make("p");
  const input = make(words ? "select" : "input");
  input.id = `${place}-${path}`;
  input.dataset.field = path;
  if (words) {
    for (const word of ["", ...words.filter((each) => each !== null)]) {
      const option = make("option", "", word);
      option.value = word;
      input.append(option);
    }
  } else {
    input.type = "number";
    input.step = [type].flat().includes("integer") ? "1" : "any";
    input.inputMode = "decimal";
    input.autocomplete = "off";
  }
  const label = make("label");
  label.htmlFor = input.id;
  label.append(make("code", "", path.slice("config.".length)));
  const range = minimum === undefined ? "" : `${minimum.toLocaleString("en")} to ${maximum.toLocaleString("en")}`;
  const hint = make("small", "", range && !description.includes(range) ? `${description} ${range}.` : description);
  hint.id = `${input.id}-hint`;
  input.setAttribute("aria-describedby", hint.id);
  line.append(label, input, hint);
  return line;
}
