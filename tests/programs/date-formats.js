// The same instant in the formats that reports need
const d = new Date('2024-02-05T08:07:09.045Z');
const full = { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' };

console.log('default      ', d.toLocaleString());
console.log('date         ', d.toLocaleDateString());
console.log('time         ', d.toLocaleTimeString());
console.log('en-US long   ', d.toLocaleDateString('en-US', full));
console.log('en-GB long   ', d.toLocaleDateString('en-GB', full));
console.log('de-DE long   ', d.toLocaleDateString('de-DE', full));
console.log('fr-FR long   ', d.toLocaleDateString('fr-FR', full));
console.log('es-ES long   ', d.toLocaleDateString('es-ES', full));
console.log('en-GB        ', d.toLocaleDateString('en-GB'), d.toLocaleTimeString('en-GB'));
console.log('de-DE        ', d.toLocaleDateString('de-DE'), d.toLocaleTimeString('de-DE'));
console.log('sv-SE        ', d.toLocaleDateString('sv-SE'));
console.log('en-CA        ', d.toLocaleDateString('en-CA'));
console.log('2-digit      ', d.toLocaleDateString('en-US', { year: 'numeric', month: '2-digit', day: '2-digit' }));
console.log('month, year  ', d.toLocaleDateString('en-US', { month: 'long', year: 'numeric' }));
console.log('month        ', d.toLocaleString('en-US', { month: 'short' }), d.toLocaleString('de-DE', { month: 'long' }));
console.log('weekday      ', d.toLocaleDateString('en-US', { weekday: 'short' }), d.toLocaleDateString('fr-FR', { weekday: 'long' }));
console.log('hour, minute ', d.toLocaleTimeString('en-US', { hour: '2-digit', minute: '2-digit' }));
console.log('24 hours     ', d.toLocaleTimeString('en-US', { hour12: false }));
console.log('12 hours     ', d.toLocaleTimeString('de-DE', { hour: 'numeric', minute: '2-digit', hour12: true }));

for (const style of ['full', 'long', 'medium', 'short']) {
  console.log(style.padEnd(13), d.toLocaleDateString('en-US', { dateStyle: style }), '|', d.toLocaleDateString('de-DE', { dateStyle: style }));
}

// By hand
const pad = (n, w = 2) => String(n).padStart(w, '0');
const custom = `${d.getFullYear()}${pad(d.getMonth() + 1)}${pad(d.getDate())}-${pad(d.getHours())}${pad(d.getMinutes())}${pad(d.getSeconds())}.${pad(d.getMilliseconds(), 3)}`;
console.log('custom       ', custom);
console.log('parts        ', [d.toDateString(), d.toTimeString(), d.toJSON()]);
d;
