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

/** Draws in the next frame, or within a second where there is none: a page that nobody looks at has its title drawn, too. */
export function soon(draw) {
  let isDone = false;
  const once = () => {
    if (isDone) return;
    isDone = true;
    draw();
  };
  requestAnimationFrame(once);
  setTimeout(once, 1000);
}

/** Copies words; false where the browser does not let pages do so, as without TLS. */
export async function copied(words) {
  try {
    await navigator.clipboard.writeText(words);
    return true;
  } catch {
    return false;
  }
}
