// ends: recursion
// attacks: async a=>async a=>…, each with a look ahead
eval("async a=>".repeat(30000) + "1");
