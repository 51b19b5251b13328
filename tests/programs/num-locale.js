// Numbers for readers in several countries
const values = [0, 7, 999, 1000, 1234.5, 12345.678, 1234567.891, -9876543.21, 0.5];
const locales = ['en-US', 'en-IN', 'de-DE', 'fr-FR', 'es-ES', 'de-CH'];

for (const locale of locales) {
  console.log(`${locale}: ${values.map(v => v.toLocaleString(locale)).join(' | ')}`);
}

const n = 1234567.891;
console.log('fixed 2      ', n.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 }));
console.log('no fraction  ', n.toLocaleString('en-US', { maximumFractionDigits: 0 }));
console.log('four digits  ', (3).toLocaleString('en-US', { minimumFractionDigits: 4 }));
console.log('significant  ', n.toLocaleString('en-US', { maximumSignificantDigits: 3 }), (0.00123456).toLocaleString('en-US', { maximumSignificantDigits: 2 }));
console.log('no grouping  ', n.toLocaleString('en-US', { useGrouping: false }));
console.log('padded       ', (7).toLocaleString('en-US', { minimumIntegerDigits: 3 }));
console.log('signs        ', [5, -5, 0].map(v => v.toLocaleString('en-US', { signDisplay: 'exceptZero' })).join(' '));
console.log('rounding     ', [0.5, 1.5, 2.5, 1.005, 1.255].map(v => v.toLocaleString('en-US', { maximumFractionDigits: v < 1.1 && v > 1 ? 2 : v === 1.255 ? 2 : 0 })).join(' '));
console.log('default      ', (0.123456).toLocaleString(), (1e21).toLocaleString(), (1e-10).toLocaleString());
console.log('special      ', NaN.toLocaleString(), Infinity.toLocaleString('de-DE'), (-0).toLocaleString());
console.log('big          ', (2n ** 64n).toLocaleString('en-US'), 12345678901234567890n.toLocaleString('de-DE'));
console.log('array        ', [1234.5, 99, 1e6].toLocaleString('en-US'));
console.log('India        ', (123456789).toLocaleString('en-IN'), (9999999n).toLocaleString('en-IN'));
n.toLocaleString('de-DE', { maximumFractionDigits: 1 });
