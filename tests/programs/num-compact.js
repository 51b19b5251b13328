// Populations and sizes in compact, scientific and unit notation
const countries = [
  { name: 'India', population: 1428627663, area: 3287263 },
  { name: 'China', population: 1425671352, area: 9596961 },
  { name: 'United States', population: 339996563, area: 9372610 },
  { name: 'Iceland', population: 375318, area: 103000 },
  { name: 'Tuvalu', population: 11396, area: 26 },
  { name: 'Vatican City', population: 764, area: 0.44 },
];

const short = new Intl.NumberFormat('en-US', { notation: 'compact', compactDisplay: 'short' });
const long = new Intl.NumberFormat('en-US', { notation: 'compact', compactDisplay: 'long' });
const precise = new Intl.NumberFormat('en-US', { notation: 'compact', minimumFractionDigits: 1, maximumFractionDigits: 1 });

for (const { name, population, area } of countries) {
  const density = (population / area).toLocaleString('en-US', { maximumFractionDigits: 1 });
  console.log(`${name.padEnd(14)} ${short.format(population).padStart(5)}  ${precise.format(population).padStart(8)}  ${long.format(population).padEnd(12)} ${density}/km²`);
}

console.log([950, 999.9, 1000, 1050, 1500, 15499, 999499, 999999, 1.5e6, 2.45e9, 7.3e12, 1e15].map(n => short.format(n)).join(' '));
console.log([-1234, 0, 0.55, 12.345].map(n => short.format(n)).join(' '));

const sci = new Intl.NumberFormat('en-US', { notation: 'scientific', maximumFractionDigits: 2 });
const eng = new Intl.NumberFormat('en-US', { notation: 'engineering' });
console.log(sci.format(602214076), eng.format(602214076), sci.format(0.00045));

const unit = (value, unit, unitDisplay = 'short') => value.toLocaleString('en-US', { style: 'unit', unit, unitDisplay });
console.log(unit(16, 'liter'), '|', unit(120, 'kilometer-per-hour'), '|', unit(3.5, 'kilogram', 'long'), '|', unit(21, 'celsius'));

function fileSize(bytes) {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  const i = bytes === 0 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  return `${(bytes / 1024 ** i).toFixed(i ? 1 : 0)} ${units[i]}`;
}
console.log([0, 512, 1024, 1536, 5242880, 1234567890].map(fileSize));

const ordinal = n => n + (['th', 'st', 'nd', 'rd'][(n % 100 >> 3) ^ 1 && n % 10] || 'th');
[1, 2, 3, 4, 11, 12, 13, 21, 22, 101, 111].map(ordinal).join(', ');
