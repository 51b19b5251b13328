// ends: value or memory or time
// attacks: JSON.parse of one object with 60,000 keys
// timeout: 5000
// value: 60000
let text = "";
for (let i = 0; i < 60000; i++) text += '"k' + i + '":1,';
Object.keys(JSON.parse("{" + text + '"k0":2}')).length;
