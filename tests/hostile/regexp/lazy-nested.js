// ends: value
// attacks: lazy quantifiers explode just as greedy ones do
// value: false
/^(.+?)+?X$/.test("y".repeat(4000));
