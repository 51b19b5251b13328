// ends: time
// attacks: instanceof asks the right-hand side
1 instanceof { [Symbol.hasInstance]() { for (;;); } };
