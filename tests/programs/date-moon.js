// Moon phases from the mean synodic month; Julian day numbers
const SYNODIC = 29.530588853;
const KNOWN_NEW_MOON = Date.UTC(2000, 0, 6, 18, 14);
const NAMES = ['New Moon', 'Waxing Crescent', 'First Quarter', 'Waxing Gibbous', 'Full Moon', 'Waning Gibbous', 'Last Quarter', 'Waning Crescent'];

const julianDay = date => date.getTime() / 86_400_000 + 2440587.5;

function moon(date) {
  const days = (date.getTime() - KNOWN_NEW_MOON) / 86_400_000;
  const age = ((days % SYNODIC) + SYNODIC) % SYNODIC;
  const phase = age / SYNODIC;
  const illumination = (1 - Math.cos(2 * Math.PI * phase)) / 2;
  return { age, illumination, name: NAMES[Math.floor(phase * 8 + 0.5) % 8] };
}

console.log('Date        JD           Age   Lit   Phase');
for (let d = 0; d < 32; d += 4) {
  const date = new Date(Date.UTC(2024, 3, 1 + d, 12));
  const { age, illumination, name } = moon(date);
  console.log([
    date.toISOString().substring(0, 10),
    julianDay(date).toFixed(1),
    age.toFixed(1).padStart(5),
    `${Math.round(illumination * 100)}%`.padStart(4),
    name,
  ].join('  '));
}

const eclipse = new Date('2024-04-08T18:20:00Z');
console.log('Total solar eclipse:', eclipse.toISOString(), '->', moon(eclipse).name);

// Next full moons
let t = eclipse;
const full = [];
while (full.length < 3) {
  const before = moon(t).age;
  t = new Date(t.getTime() + 3_600_000);
  if (before < SYNODIC / 2 && moon(t).age >= SYNODIC / 2) full.push(t.toISOString().slice(0, 10));
}
console.log('Next full moons (mean):', full.join(', '));
new Date(Date.UTC(1969, 6, 20, 20, 17)).getTime();
