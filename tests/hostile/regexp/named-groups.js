// ends: time
// attacks: named groups in an exponential pattern; captures must not switch protection off
"a".repeat(4000).concat("!").match(/^(?<outer>(?<inner>a+)b?)+$/);
