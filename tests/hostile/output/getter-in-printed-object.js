// ends: value
// attacks: a getter that would loop, in an object that is printed
// value: "printed"
console.log({ get slow() { for (;;); } });
"printed";
