// crypto for identifiers, and checks of what is random only by shape
const bytes = crypto.getRandomValues(new Uint8Array(16));
console.log(bytes.length, bytes instanceof Uint8Array, bytes.every(b => b >= 0 && b <= 255));
const words = new Uint32Array(4);
console.log(crypto.getRandomValues(words) === words, words.BYTES_PER_ELEMENT);

const id = crypto.randomUUID();
console.log(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id), id.length);
console.log(new Set(Array.from({ length: 100 }, () => crypto.randomUUID())).size);

try {
  crypto.getRandomValues(new Float64Array(2));
} catch (e) {
  console.log('floats:', e.name);
}
try {
  crypto.getRandomValues(new Uint8Array(65537));
} catch (e) {
  console.log('too many:', e.name);
}

const draws = Array.from({ length: 1000 }, () => Math.random());
const mean = draws.reduce((a, b) => a + b) / draws.length;
console.log(draws.every(x => x >= 0 && x < 1), mean > 0.4 && mean < 0.6, new Set(draws).size > 990);

// Reproducible numbers need a generator of one's own
function mulberry32(a) {
  return () => {
    a |= 0; a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
const random = mulberry32(12345);
console.log(Array.from({ length: 5 }, () => Math.floor(random() * 100)));
const gaussian = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const sample = Array.from({ length: 2000 }, gaussian);
const m = sample.reduce((a, b) => a + b) / sample.length;
const sd = Math.sqrt(sample.reduce((s, x) => s + (x - m) ** 2, 0) / (sample.length - 1));
console.log(`mean ${m.toFixed(2)}, sd ${sd.toFixed(2)}`);
const password = (n, alphabet = 'abcdefghjkmnpqrstuvwxyz23456789') => Array.from({ length: n }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
password(12);
