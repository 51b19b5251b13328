// ends: output
// attacks: a value with a JSON form of a megabyte
Array.from({ length: 200000 }, (_, i) => i);
