// ends: value
// attacks: a class whose name is a getter that loops, asked for by inspectors
// value: "printed"
class Evil { static get name() { for (;;); } }
console.log(new Evil(), Evil, [new Evil()]);
"printed";
