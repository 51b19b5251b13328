// A JSON text as people read it. Pure.
//
// It is indented as it stands: a number that no double holds keeps its digits, and what is no JSON is shown as it
// came.

/** Texts, with what is escaped in them; signs; numbers and words. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/** The same JSON text, each member on a line of its own. */
export function indented(text) {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  const tokens = text.match(TOKEN);
  let depth = 0;
  const line = () => `\n${"  ".repeat(depth)}`;
  return tokens.map((token, at) => {
    const [before, after] = [tokens[at - 1], tokens[at + 1]];
    switch (token) {
      case "{":
      case "[":
        if (after === "}" || after === "]") return token;
        depth += 1;
        return token + line();
      case "}":
      case "]":
        if (before === "{" || before === "[") return token;
        depth -= 1;
        return line() + token;
      case ",": return token + line();
      case ":": return ": ";
      default: return token;
    }
  }).join("");
}

/** The same as Markdown. No line of it can end the block: where a text begins there is its quotation mark. */
export function block(text) {
  return `\`\`\`json\n${indented(text)}\n\`\`\``;
}
