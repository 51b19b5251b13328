// ends: time
// attacks: lazy quantifiers explode just as greedy ones do
/^(.+?)+?X$/.test("y".repeat(4000));
