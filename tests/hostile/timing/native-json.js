// ends: time or memory
// attacks: JSON there and back over a megabyte, two native calls a round
const text = "[" + '{"a":[1,2,3],"b":"text"},'.repeat(40000) + "0]";
for (;;) JSON.stringify(JSON.parse(text));
