// A pipeline that ends in an error which nobody handles
class ValidationError extends Error {
  constructor(field, problem) {
    super(`${field}: ${problem}`);
    this.name = 'ValidationError';
  }
}

const schema = {
  name: v => typeof v === 'string' && v.length > 0,
  age: v => Number.isInteger(v) && v >= 0 && v < 150,
  email: v => /^[^@\s]+@[^@\s]+\.\w+$/.test(v),
};

async function validate(record) {
  await Promise.resolve();
  for (const [field, check] of Object.entries(schema)) {
    if (!(field in record)) throw new Error(`${field} is missing`);
    if (!check(record[field])) throw new Error(`${field} has the bad value ${JSON.stringify(record[field])}`);
  }
  return record;
}

const records = [
  { name: 'Ada', age: 36, email: 'ada@example.org' },
  { name: 'Bob', age: -1, email: 'bob@example.org' },
  { name: 'Eve', email: 'eve@example.org' },
];

let accepted = 0;
for (const r of records) {
  try {
    await validate(r);
    accepted++;
    console.log(`${r.name}: ok`);
  } catch (e) {
    console.warn(`${r.name}: ${e.message}`);
  }
}
console.log(`${accepted} of ${records.length} accepted`);
console.log(String(new ValidationError('age', 'too small')));

await validate({ name: '', age: 1, email: 'x' });
console.log('never printed');
