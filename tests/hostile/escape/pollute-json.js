// ends: value
// attacks: a runner that calls the program's own JSON.stringify
// value: {"a":1}
JSON.stringify = () => "forged";
JSON.parse = () => { for (;;); };
globalThis.JSON = null;
({ a: 1 });
