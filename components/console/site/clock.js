// The time, as the page knows it. A module of its own, so that tests can serve another.

export const clock = {
  now: () => Date.now(),

  /** Resolves after so many milliseconds; rejects at once when the signal is aborted. */
  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const leave = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", leave);
        resolve();
      }, ms);
      signal?.addEventListener("abort", leave, { once: true });
    });
  },
};
