// One meeting in several time zones
const meeting = new Date('2024-07-10T15:30:00Z');
const winter = new Date('2024-01-10T15:30:00Z');
const zones = ['UTC', 'America/New_York', 'America/Los_Angeles', 'Europe/Berlin', 'Europe/London', 'Asia/Tokyo', 'Asia/Kolkata', 'Australia/Sydney'];

console.log('Summer meeting');
for (const timeZone of zones) {
  const text = meeting.toLocaleString('en-US', { timeZone, dateStyle: 'medium', timeStyle: 'short' });
  console.log(`  ${timeZone.padEnd(20)} ${text}`);
}
console.log('Winter meeting');
for (const timeZone of zones) {
  const text = winter.toLocaleTimeString('en-US', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  console.log(`  ${timeZone.padEnd(20)} ${text}`);
}

// Offset of a zone at an instant
function offsetMinutes(date, timeZone) {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric',
    hour: 'numeric', minute: 'numeric', second: 'numeric',
  }).formatToParts(date);
  const get = type => Number(parts.find(p => p.type === type).value);
  const local = Date.UTC(get('year'), get('month') - 1, get('day'), get('hour'), get('minute'), get('second'));
  return (local - date.getTime()) / 60000;
}
const hhmm = m => `${m < 0 ? '-' : '+'}${String(Math.floor(Math.abs(m) / 60)).padStart(2, '0')}:${String(Math.abs(m) % 60).padStart(2, '0')}`;
for (const z of ['America/New_York', 'Europe/Berlin', 'Asia/Kolkata']) {
  console.log(`${z}: ${hhmm(offsetMinutes(winter, z))} in January, ${hhmm(offsetMinutes(meeting, z))} in July`);
}

// Around the change to summer time in Berlin (31 March 2024, 01:00 UTC)
for (const minute of [-1, 0, 1]) {
  const d = new Date(Date.UTC(2024, 2, 31, 1, minute));
  console.log(d.toISOString(), '->', d.toLocaleString('de-DE', { timeZone: 'Europe/Berlin' }));
}
console.log(meeting.toLocaleString('en-US', { timeZone: 'America/New_York', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }));
console.log(meeting.toLocaleDateString('en-GB', { timeZone: 'Asia/Tokyo', weekday: 'short', day: '2-digit', month: 'short' }));
meeting.getTimezoneOffset();
