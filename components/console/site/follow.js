// The answer or report that the next question follows up on, as it is shown above the question.

import { make } from "./dom.js";
import { json } from "./server.js";
import { brief } from "./words.js";

const $ = (id) => document.getElementById(id);
const LONGEST = 120;
/** With what the name of a run begins among those of asks. */
const RUN = "run_";
/** Rules do not know what was said before. */
const ALONE = ". Without a language model a question is taken as it stands: name what it is about.";

/** Shows it. `onAlone()` is called when a person wants to ask without it. */
export function followIn(onAlone) {
  /** Its ask's `id` and `query`, and whether rules answered it; null: the question stands alone. */
  let earlier = null;

  function after(one) {
    earlier = one;
    $("follows-what").replaceChildren(...(one ? ["Follows up on ", linked(one), one.isByRules ? ALONE : ""] : []));
    $("follows").hidden = !one;
  }

  $("alone").addEventListener("click", () => {
    after(null);
    onAlone();
  });

  return { after, earlier: () => earlier };
}

function linked({ id, query }) {
  const isRun = id.startsWith(RUN);
  const link = make("a", "", brief(query || (isRun ? "a report" : "an earlier answer"), LONGEST));
  link.dir = "auto";
  link.href = isRun ? `runs/#${id.slice(RUN.length)}` : `#${id}`;
  return link;
}

/** What was said before an ask that follows up on another, `{ role, content }` each; nothing where that is not known whole. */
export async function saidBefore(id) {
  const list = await json(`/v1/responses/resp_${encodeURIComponent(id)}/input_items?order=asc&limit=100`).catch(() => ({}));
  const spoken = (list.data ?? []).filter(({ role }) => role === "user" || role === "assistant");
  const turns = spoken.map(({ role, content }) => ({ role, content: content.map(({ text }) => text).join("\n") }));
  // The last is the question.
  return list.has_more ? [] : turns.slice(0, -1);
}

/** What an ask followed up on that this page did not send; null where that is not known. */
export async function followed(id) {
  const told = await json(`/v1/responses/resp_${encodeURIComponent(id)}`).catch(() => ({}));
  const [, earlier] = /^resp_([\w-]{8,64})$/.exec(told.previous_response_id) ?? [];
  return earlier ? { id: earlier, query: "" } : null;
}
