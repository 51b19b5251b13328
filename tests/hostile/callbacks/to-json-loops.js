// ends: time
// attacks: toJSON that does not come back
JSON.stringify({ toJSON() { for (;;); } });
