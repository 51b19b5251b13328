// ends: recursion or error TypeError
// attacks: new new new … 100,000 times
eval("new ".repeat(100000) + "Object");
