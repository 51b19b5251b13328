// ends: recursion
// attacks: -+-+-+… 200,000 signs
eval("-+".repeat(100000) + "1");
