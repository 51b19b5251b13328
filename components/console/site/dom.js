// The few helpers with which the page is drawn. Text goes in as text only.

/** A new element. */
export function make(name, className = "", content = "") {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (content) element.textContent = content;
  return element;
}

/** Sets an element's text, when it is another. */
export function text(id, value) {
  const element = document.getElementById(id);
  if (element.textContent !== value) element.textContent = value;
}
