// Number bases, Roman numerals, words and bit tricks
const toRoman = n => {
  const table = [[1000, 'M'], [900, 'CM'], [500, 'D'], [400, 'CD'], [100, 'C'], [90, 'XC'],
    [50, 'L'], [40, 'XL'], [10, 'X'], [9, 'IX'], [5, 'V'], [4, 'IV'], [1, 'I']];
  return table.reduce((acc, [value, symbol]) => {
    while (n >= value) { acc += symbol; n -= value; }
    return acc;
  }, '');
};
const fromRoman = s => [...s].reduce((sum, c, i, all) => {
  const v = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 };
  return sum + (v[c] < (v[all[i + 1]] ?? 0) ? -v[c] : v[c]);
}, 0);

for (const year of [4, 9, 1066, 1492, 1984, 2024, 3999]) {
  const r = toRoman(year);
  console.log(`${year} = ${r}${fromRoman(r) === year ? '' : ' (wrong)'}`);
}

for (const n of [10, 255, 4096, 65535]) {
  console.log(`${n}: bin ${n.toString(2)}, oct ${n.toString(8)}, hex ${n.toString(16).padStart(4, '0')}`);
}
console.log(parseInt('11111111', 2), parseInt('777', 8), parseInt('ff', 16), 0b1010, 0o17, 0xff, 1_000_000);
console.log('BigInt:', BigInt('0xdeadbeefcafebabe'), (2n ** 100n).toString(16), BigInt.asUintN(8, 257n), BigInt.asIntN(8, 255n));

const ones = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve',
  'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'];
const tens = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
function words(n) {
  if (n < 20) return ones[n];
  if (n < 100) return tens[Math.floor(n / 10)] + (n % 10 ? '-' + ones[n % 10] : '');
  if (n < 1000) return `${ones[Math.floor(n / 100)]} hundred${n % 100 ? ' ' + words(n % 100) : ''}`;
  return `${words(Math.floor(n / 1000))} thousand${n % 1000 ? ' ' + words(n % 1000) : ''}`;
}
console.log([7, 42, 115, 1984, 90210].map(words));

const popcount = n => n.toString(2).replaceAll('0', '').length;
console.log('Bits:', 5 & 3, 5 | 3, 5 ^ 3, ~5, 1 << 10, -16 >> 2, -16 >>> 28, popcount(1023), Math.clz32(1), Math.fround(5.5));
({ gray: Array.from({ length: 8 }, (_, i) => (i ^ (i >> 1)).toString(2).padStart(3, '0')) });
