// ends: value
// attacks: import() from text, where there is no script that it could be refused to
// value: "refused"
new Function("return import('node:fs')")().then(() => "imported", () => "refused");
