// ends: output
// attacks: a value of a megabyte
"v".repeat(1000000);
