// ends: error AggregateError
// attacks: an uncaught AggregateError of 50,000 errors
throw new AggregateError(Array.from({ length: 50000 }, (_, i) => new Error("e" + i)), "many");
