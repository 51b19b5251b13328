// ends: time
// attacks: replaceAll in replaceAll in replaceAll over 2,000 characters each
const text = "a".repeat(2000);
text.replaceAll("a", () => text.replaceAll("a", () => text.replaceAll("a", () => "b").length).length);
