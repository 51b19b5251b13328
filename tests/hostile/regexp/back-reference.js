// ends: time
// attacks: back references, for which no linear matching is known
/^(a+)(a+)(a+)(a+)(a+)(a+)\1\2\3\4\5\6\6$/.test("a".repeat(999) + "b".repeat(50));
