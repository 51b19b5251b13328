// ends: time
// attacks: each name inside `with` asks a proxy, whose trap loops
with (new Proxy({}, { has() { for (;;); } })) anything;
