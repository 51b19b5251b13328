// ends: time
// attacks: the comparator of a typed array's own sort
new Float64Array([3, 1, 2]).sort(() => { for (;;); });
