// Regular expressions: named groups, matchAll, replacers, lookbehind, sticky
const log = `2024-03-01 09:15:02 [ERROR] db: connection lost (code=1045)
2024-03-01 09:15:07 [INFO] db: reconnected after 5s
2024-03-01 10:02:44 [WARN] api: slow response 2310ms (code=504)
malformed line
2024-03-02 00:00:01 [ERROR] api: timeout (code=504)`;

const pattern = /^(?<date>\d{4}-\d{2}-\d{2}) (?<time>[\d:]{8}) \[(?<level>[A-Z]+)\] (?<source>\w+): (?<message>.*?)(?: \(code=(?<code>\d+)\))?$/gm;
const entries = [...log.matchAll(pattern)].map(m => ({ ...m.groups, at: m.index }));
for (const { time, level, source, code, at } of entries) console.log(`${at}: ${time} ${level.padEnd(5)} ${source} ${code ?? '-'}`);

const byLevel = entries.reduce((acc, { level }) => { (acc[level] ||= 0); acc[level]++; return acc; }, {});
console.log(byLevel);

const text = 'Contact: jane.doe@example.org, +1 (555) 010-4477, or bob@mail.example.com; prices $12.50, $7 and €3.';
console.log(text.match(/[\w.+-]+@[\w-]+\.[\w.-]*\w/g));
console.log(text.match(/(?<=\$)\d+(?:\.\d+)?/g).map(Number));
console.log(text.replace(/\$(\d+(?:\.\d+)?)/g, (_, n) => `${(n * 0.92).toFixed(2)} EUR`).slice(-40));
console.log('2024-03-07'.replace(/(?<y>\d+)-(?<m>\d+)-(?<d>\d+)/, '$<d>.$<m>.$<y>'), 'a-b'.replace('-', "[$&|$`|$']"));

console.log('one, two;three  four'.split(/[,;\s]+/), 'a1b2c3'.split(/(\d)/), '2024-03-07'.split('-', 2));
console.log(/(\d+)\s(?<unit>km|mi)/.exec('about 42 km away').slice(), 'x'.match(/y/), 'aBC'.search(/[A-Z]/));
const sticky = /\s*(\d+|[-+*/()])/y;
const tokens = [];
for (let m; (m = sticky.exec('3 + 4*(12 - 5)'));) tokens.push(m[1]);
console.log(tokens.join(' '));
console.log('1234567.891'.replace(/\B(?=(\d{3})+(?!\d)(?<!\.\d*))/g, ','), 'ÀÉÎ'.toLowerCase(), /^\p{Lu}/u.test('Éa'), '😀a'.match(/./gu).length);
const password = p => [/.{8,}/, /[a-z]/, /[A-Z]/, /\d/, /[^\w\s]/].filter(r => r.test(p)).length;
console.log(['secret', 'Secret123', 'S3cret!pass'].map(p => `${p}: ${password(p)}/5`));
const valid = ['192.168.1.1', '256.1.1.1', '1.2.3'].map(ip => /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.|$)){4}$/.test(ip));
({ valid, flags: pattern.flags, source: /a\/b/.source, repeated: /(\w+) \1/.exec('the the cat')[1] })
