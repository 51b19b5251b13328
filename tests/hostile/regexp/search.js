// ends: time or value
// attacks: search over 100,000 opening brackets with a pattern that wants a closing one
// value: -1
"(".repeat(100000).search(/\(.*\)/s);
