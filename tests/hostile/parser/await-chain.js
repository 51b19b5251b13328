// ends: recursion
// attacks: await await await … inside an async function
eval("(async()=>{" + "await ".repeat(50000) + "1})()");
