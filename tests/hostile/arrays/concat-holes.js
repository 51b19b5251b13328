// ends: time or value or memory or error RangeError
// attacks: concat of two arrays of two billion holes each
// value: 4000000000
new Array(2e9).concat(new Array(2e9)).length;
