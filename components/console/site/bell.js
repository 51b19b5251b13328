// Tells a person who looks elsewhere that something is done, where they have asked for it.

/** Who may tell it: nobody where there is no such thing, as without TLS. */
const bell = () => (isSecureContext ? globalThis.Notification : undefined);

const TOLD = { granted: "You will be told when it is done.", denied: "You will not be told: the browser does not allow it." };

/**
 * Has a button ask for leave to tell; whoever was asked before is not asked again. `show(isWanted)` offers it while
 * something is under way, `ring(title, words)` tells it if nobody looks at the page.
 */
export function bellIn(button, region) {
  let isWanted = false;

  function draw() {
    button.hidden = !isWanted || bell()?.permission !== "default";
  }

  button.addEventListener("click", async () => {
    const answer = await bell()?.requestPermission().catch(() => "denied");
    if (document.activeElement === button) document.getElementById("progress").focus({ preventScroll: true });
    draw();
    region.textContent = TOLD[answer] ?? "";
  });

  return {
    show(isUnderWay) {
      isWanted = isUnderWay;
      draw();
    },
    ring(title, words) {
      if (!document.hidden || bell()?.permission !== "granted") return;
      try {
        const told = new (bell())(title, { body: words, tag: location.href });
        told.addEventListener("click", () => {
          focus();
          told.close();
        });
      } catch {
        // Some phones have it, but not for pages.
      }
    },
  };
}
