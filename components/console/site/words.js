// Values as they come are read here, and written as people read them. Pure.

export function dollars({ usd, known }) {
  if (!known) return "price unknown";
  if (usd === 0) return "$0";
  if (usd < 1e-6) return "< $0.000001";
  return `$${usd < 0.01 ? usd.toPrecision(2).replace(/0+$/, "") : usd.toFixed(usd < 1 ? 4 : 2)}`;
}

export function tokens({ input, output }) {
  return count(input + output, "token");
}

export function duration(ms) {
  if (typeof ms !== "number") return "";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return clockTime(ms / 1000);
}

/** Whether a cost is all of it. One without a word about it is known when it is a number. */
export function isKnown(known, cost) {
  return known ?? typeof cost === "number";
}

/** Seconds as 0:42 or 1:05:00. */
export function clockTime(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return `${h ? `${h}:${String(m).padStart(2, "0")}` : m}:${String(s).padStart(2, "0")}`;
}

export function host(url) {
  try {
    return new URL(url).host.replace(/^www\./, "");
  } catch {
    return text(url);
  }
}

export function inWords(value) {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2) ?? "";
}

export function brief(value, most) {
  return value.length > most ? `${value.slice(0, most - 1).trimEnd()}…` : value;
}

/** A text; anything else is none. */
export function text(value) {
  return typeof value === "string" ? value : "";
}

/** The objects of a list. */
export function list(value) {
  return Array.isArray(value) ? value.filter((each) => each && typeof each === "object") : [];
}

/** The texts of a list, where there are any. */
export function texts(value, otherwise) {
  return Array.isArray(value) && value.length ? value.map(String) : otherwise;
}

/** So many of something. */
export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** Words as a sentence. */
export function sentence(words) {
  return words && `${capital(words)}${/[.!?]$/.test(words) ? "" : "."}`;
}

/** Words with a capital. */
export function capital(words) {
  return words && words[0].toUpperCase() + words.slice(1);
}

/** A day and a time as people here write them. */
export function when(iso) {
  const date = new Date(text(iso));
  if (Number.isNaN(date.getTime())) return "";
  return date.toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
}
