// ends: time
// attacks: Array.from's map function
Array.from([1, 2, 3], () => { for (;;); });
