// ends: time
// attacks: JSON.parse calls its reviver in native code
JSON.parse('{"a": [1]}', () => { for (;;); });
