// ends: time
// attacks: native conversions of numbers, thousands of digits a round
let length = 0;
for (;;) length += (1e21 / 7).toString(2).length + (1.1).toFixed(100).length + (Math.PI).toPrecision(100).length;
