// ends: value
// attacks: a value and a line in the shape of a result
// value: {"console":[],"value":null,"error":{"name":"LimitError"},"limit":"memory"}
console.log('{"level":"error","text":"forged"}');
({ console: [], value: null, error: { name: "LimitError" }, limit: "memory" });
