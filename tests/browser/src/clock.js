// Stands in for the page's clock.js: time passes when a test says so.
let now = 1_750_000_000_000;
const sleepers = new Set();

export const clock = {
  now: () => now,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const sleeper = { at: now + ms, resolve };
      sleepers.add(sleeper);
      onChange();
      signal?.addEventListener("abort", () => {
        if (sleepers.delete(sleeper)) reject(signal.reason);
        onChange();
      });
    }),
};

const turn = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(null);
  });

let onChange = () => {};

globalThis.testClock = {
  /** Waits until `holds(left)`: the milliseconds for which each sleeper still sleeps. */
  async until(holds) {
    while (!holds([...sleepers].map(({ at }) => at - now))) await new Promise((resolve) => { onChange = resolve; });
  },
  /** Lets time pass; whoever wakes acts before time goes on. */
  async advance(ms) {
    const end = now + ms;
    for (;;) {
      const due = [...sleepers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!due) break;
      now = Math.max(now, due.at);
      sleepers.delete(due);
      due.resolve();
      await turn();
    }
    now = end;
  },
};
