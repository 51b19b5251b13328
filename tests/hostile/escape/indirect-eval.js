// ends: value
// attacks: eval called by another name runs in the global scope
// value: "undefined undefined"
(0, eval)("typeof module + ' ' + typeof exports");
