// A plain text table, a Markdown table and wrapped paragraphs
const planets = [
  { name: 'Mercury', diameter: 4879, moons: 0, day: 4222.6 },
  { name: 'Earth', diameter: 12756, moons: 1, day: 24 },
  { name: 'Jupiter', diameter: 142984, moons: 95, day: 9.9 },
  { name: 'Neptune', diameter: 49528, moons: 16, day: 16.1 },
];
const columns = [
  { key: 'name', title: 'Planet', align: 'left' },
  { key: 'diameter', title: 'Diameter (km)', align: 'right', format: v => v.toLocaleString('en-US') },
  { key: 'moons', title: 'Moons', align: 'right' },
  { key: 'day', title: 'Day (h)', align: 'right', format: v => v.toFixed(1) },
];

function render(rows, columns) {
  const cells = rows.map(r => columns.map(({ key, format = String }) => format(r[key])));
  const widths = columns.map((c, i) => Math.max(c.title.length, ...cells.map(r => r[i].length)));
  const line = r => r.map((v, i) => (columns[i].align === 'right' ? v.padStart(widths[i]) : v.padEnd(widths[i]))).join(' │ ');
  const rule = widths.map(w => '─'.repeat(w)).join('─┼─');
  return [line(columns.map(c => c.title)), rule, ...cells.map(line)].join('\n');
}
console.log(render(planets, columns));

const markdown = [
  `| ${columns.map(c => c.title).join(' | ')} |`,
  `|${columns.map(c => (c.align === 'right' ? '---:' : ':---')).join('|')}|`,
  ...planets.map(p => `| ${columns.map(c => (c.format ?? String)(p[c.key])).join(' | ')} |`),
].join('\n');
console.log('\n' + markdown);

const wrap = (s, width) => s.split(' ').reduce((lines, word) => {
  const last = lines[lines.length - 1];
  if ((last + ' ' + word).trim().length <= width) lines[lines.length - 1] = (last + ' ' + word).trim();
  else lines.push(word);
  return lines;
}, ['']);
const paragraph = 'Jupiter is the fifth planet from the Sun and the largest in the Solar System, with a mass more than two and a half times that of all the other planets combined.';
console.log();
wrap(paragraph, 40).forEach(l => console.log(`> ${l}`));
const center = (s, w, fill = '*') => s.padStart(Math.floor((w + s.length) / 2), fill).padEnd(w, fill);
console.log(center(' END ', 21));
String.raw`C:\new\table ${1 + 1}`;
