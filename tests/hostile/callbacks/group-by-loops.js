// ends: time
// attacks: Object.groupBy's callback
Object.groupBy([1, 2, 3], () => { for (;;); });
