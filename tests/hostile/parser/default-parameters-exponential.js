// ends: value or recursion or time
// attacks: nested arrows in default values, which cover grammars parse twice at each level
// value: "parsed"
eval("(x=".repeat(60) + "0" + ")=>0".repeat(60));
"parsed";
