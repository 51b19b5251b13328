// CSV with quotes, commas and line breaks inside fields; back again
const csv = `id,name,city,amount,note
1,"Smith, John",Boston,1200.50,"said ""hello"""
2,Ana Pérez,Madrid,980,
3,"O'Neil, Kate","Cork",1510.25,"two
lines"
4,李雷,北京,7,"plain"`;

function parseCsv(text, separator = ',') {
  const rows = [[]];
  let field = '', quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c === '"' && text[i + 1] === '"') { field += '"'; i++; }
      else if (c === '"') quoted = false;
      else field += c;
    } else if (c === '"') quoted = true;
    else if (c === separator) { rows.at(-1).push(field); field = ''; }
    else if (c === '\n') { rows.at(-1).push(field); field = ''; rows.push([]); }
    else if (c !== '\r') field += c;
  }
  rows.at(-1).push(field);
  const [header, ...body] = rows;
  return body.map(r => Object.fromEntries(header.map((h, i) => [h, r[i] ?? ''])));
}

const toCsv = (rows, columns = Object.keys(rows[0])) => {
  const escape = v => (/[",\n;]/.test(String(v)) ? `"${String(v).replaceAll('"', '""')}"` : String(v));
  return [columns, ...rows.map(r => columns.map(c => r[c]))].map(r => r.map(escape).join(',')).join('\n');
};

const records = parseCsv(csv);
console.log(records.length, 'records');
console.log(records);
const total = records.reduce((s, r) => s + Number(r.amount), 0);
console.log('Total:', total.toFixed(2));

const summary = records.map(({ name, amount, note }) => ({ name, amount: +amount, noted: note !== '' }));
console.log(toCsv(summary));
console.log('Round trip is exact:', JSON.stringify(parseCsv(toCsv(records))) === JSON.stringify(records));
console.table(summary);
toCsv(records, ['id', 'note']);
