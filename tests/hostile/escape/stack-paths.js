// ends: value
// attacks: stack traces could show paths of the host or files of the engine
// value: false
const { stack } = (() => { try { null.x; } catch (error) { return error; } })();
/\/(home|root|usr|opt|src)\b|\.rs\b|\.wasm\b|0x[0-9a-f]{6}/.test(String(stack));
