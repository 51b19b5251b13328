// ends: value
// attacks: constructor.constructor runs text in the global scope: there must be nothing in it
// value: "undefined undefined"
[].constructor.constructor("return typeof process + ' ' + typeof require")();
