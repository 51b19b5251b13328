// ends: value
// attacks: named groups in an exponential pattern; captures must not switch protection off
// value: null
"a".repeat(4000).concat("!").match(/^(?<outer>(?<inner>a+)b?)+$/);
