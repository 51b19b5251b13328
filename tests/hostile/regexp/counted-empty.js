// ends: value or time
// attacks: four billion repetitions of nothing
// value: true
/^(?:){4000000000}$/.test("");
