// TextEncoder, TextDecoder, base64, hex, percent encoding
const encoder = new TextEncoder();
const decoder = new TextDecoder();

for (const s of ['abc', 'é', '€', '😀', 'naïve café']) {
  const bytes = encoder.encode(s);
  const hex = [...bytes].map(b => b.toString(16).padStart(2, '0')).join(' ');
  console.log(`${s.padEnd(10)} ${s.length} units, ${bytes.length} bytes: ${hex}`);
}

console.log(encoder.encode('Hi €'));
console.log(decoder.decode(new Uint8Array([0xe2, 0x9c, 0x93, 0x20, 0x6f, 0x6b])), encoder.encoding, decoder.encoding);
console.log('Invalid bytes:', decoder.decode(Uint8Array.of(0x61, 0xff, 0x62)), JSON.stringify(decoder.decode(Uint8Array.of(0xef, 0xbb, 0xbf, 0x78))));
try {
  new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.of(0xc3, 0x28));
} catch (e) {
  console.log('fatal:', e.name);
}

console.log(btoa('Hello, World!'), atob('SGVsbG8='), btoa(''), btoa('a'), btoa('ab'), btoa('abc'));
try {
  btoa('✓');
} catch (e) {
  console.log('btoa:', e.name);
}
const toBase64 = text => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
const fromBase64 = b64 => new TextDecoder().decode(Uint8Array.from(atob(b64), c => c.charCodeAt(0)));
const packed = toBase64('Grüße ✓ 😀');
console.log(packed, '->', fromBase64(packed));

const url64 = packed.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
console.log(url64);
const jwt = [{ alg: 'none' }, { sub: '42', name: 'Ana' }].map(o => btoa(JSON.stringify(o)).replace(/=+$/, '')).join('.') + '.';
console.log(jwt.split('.').slice(0, 2).map(p => JSON.parse(atob(p))));

const target = new Uint8Array(5);
console.log(encoder.encodeInto('añb€', target), target);

function crc32(bytes) {
  let crc = ~0;
  for (const b of bytes) {
    crc ^= b;
    for (let k = 0; k < 8; k++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (~crc >>> 0).toString(16);
}
const fnv1a = s => encoder.encode(s).reduce((h, b) => Math.imul(h ^ b, 0x01000193) >>> 0, 0x811c9dc5).toString(16);
({ crc: crc32(encoder.encode('123456789')), fnv: fnv1a('hello'), escaped: escape('ä b'), unescaped: unescape('%u20AC') });
