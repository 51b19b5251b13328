// ends: value
// attacks: RegExp.$1 and its like keep the last match of the realm, whoever made it
// value: true
[RegExp.$1, RegExp.lastMatch, RegExp.input].every((text) => text === undefined || text === "");
