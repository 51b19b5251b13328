// Unit conversion tables and physical formulas
const fmt = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

const toF = c => (c * 9) / 5 + 32;
const toK = c => c + 273.15;
console.log('   °C      °F       K');
for (const c of [-40, 0, 21.5, 37, 100]) {
  console.log([c, toF(c), toK(c)].map(v => fmt.format(v).padStart(7)).join(' '));
}

const miles = km => km / 1.609344;
const race = { '5K': 5, '10K': 10, Half: 21.0975, Marathon: 42.195 };
for (const [name, km] of Object.entries(race)) {
  const seconds = Math.round(km * 330);
  const h = Math.floor(seconds / 3600), m = Math.floor((seconds % 3600) / 60), s = seconds % 60;
  console.log(`${name.padEnd(8)} ${fmt.format(miles(km)).padStart(5)} mi  ${[h, m, s].map(x => String(x).padStart(2, '0')).join(':')}`);
}

const EARTH = 6371;
const rad = deg => (deg * Math.PI) / 180;
function haversine([lat1, lon1], [lat2, lon2]) {
  const a = Math.sin(rad(lat2 - lat1) / 2) ** 2 +
    Math.cos(rad(lat1)) * Math.cos(rad(lat2)) * Math.sin(rad(lon2 - lon1) / 2) ** 2;
  return 2 * EARTH * Math.asin(Math.sqrt(a));
}
const cities = { Paris: [48.8566, 2.3522], 'New York': [40.7128, -74.006], Tokyo: [35.6762, 139.6503] };
const names = Object.keys(cities);
names.forEach((a, i) => names.slice(i + 1).forEach(b => {
  console.log(`${a} – ${b}: ${Math.round(haversine(cities[a], cities[b])).toLocaleString()} km`);
}));

const c = 299_792_458;
console.log(`1 g of mass holds ${(0.001 * c ** 2).toExponential(3)} J`);
console.log(`Light from the Sun takes ${(149_597_870_700 / c / 60).toFixed(2)} minutes`);
const bmi = (kg, m) => kg / m ** 2;
console.log(`BMI: ${bmi(70, 1.75).toFixed(1)}, dB: ${(10 * Math.log10(1000)).toFixed(0)}, pH: ${(-Math.log10(3.2e-5)).toFixed(2)}`);
console.log('Angles:', [0, 30, 45, 60, 90].map(d => Number(Math.sin(rad(d)).toFixed(4))));
Object.fromEntries(names.map(n => [n, cities[n].map(x => Math.round(x))]));
