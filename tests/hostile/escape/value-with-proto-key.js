// ends: value
// attacks: an own property called __proto__, which a careless copy turns into a prototype
// value: {"__proto__":{"polluted":true}}
JSON.parse('{"__proto__":{"polluted":true}}');
