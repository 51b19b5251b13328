// ends: output
// attacks: one wide cell makes each line of the table as wide
const rows = Array.from({ length: 500 }, (_, i) => ({ a: i }));
rows[0].a = "w".repeat(50000);
console.table(rows);
