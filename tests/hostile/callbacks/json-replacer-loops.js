// ends: time
// attacks: JSON.stringify calls its replacer in native code
JSON.stringify({ a: 1 }, () => { for (;;); });
