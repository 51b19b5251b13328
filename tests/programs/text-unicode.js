// Sorting, normalisation, code points and ciphers
const names = ['Zoë', 'émile', 'Eric', 'Ångström', 'adam', 'Émile', 'Zack', 'eric', 'Öz', 'Oz'];
console.log('By code unit:', [...names].sort().join(' '));
console.log('By locale:   ', [...names].sort((a, b) => a.localeCompare(b)).join(' '));
console.log('Base letters:', ['résumé', 'Resume', 'resumé'].every(w => w.localeCompare('resume', 'en', { sensitivity: 'base' }) === 0));
console.log('Numeric:     ', ['file10', 'file9', 'file1', 'file100'].sort((a, b) => a.localeCompare(b, undefined, { numeric: true })).join(' '));
console.log('Compare:     ', 'a'.localeCompare('b'), 'b'.localeCompare('a'), 'a'.localeCompare('a'), 'a'.localeCompare('A'), 'a'.localeCompare('á'));

const composed = '\u00e9', decomposed = 'e\u0301';
console.log('Normalised:', composed === decomposed, composed === decomposed.normalize(), decomposed.length, composed.normalize('NFD').length);
console.log('Ligature:', 'ﬁ½²'.normalize('NFKC'), 'ß'.toUpperCase(), 'İ'.toLowerCase().length, 'ΟΔΟΣ'.toLowerCase());

const flag = '👩‍🚀 café 🇩🇪';
console.log(flag.length, [...flag].length, flag.codePointAt(0).toString(16), String.fromCodePoint(0x1f680));
console.log([...'añ€😀'].map(c => `U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}`).join(' '));
console.log('Escapes:', JSON.stringify('tab\t "quote" \\ \u000b \u0007 😀'), encodeURIComponent('a b&ü/'), decodeURIComponent('%E2%9C%93'), encodeURI('https://x.org/ä?q=1 2'));

const caesar = (s, k) => s.replace(/[a-z]/gi, c => {
  const base = c <= 'Z' ? 65 : 97;
  return String.fromCharCode(((c.charCodeAt(0) - base + k + 26) % 26) + base);
});
const secret = caesar('Attack at Dawn!', 3);
console.log(secret, '|', caesar(secret, -3), '|', caesar('Hello', 13));

const reverse = s => [...s].reverse().join('');
const isPalindrome = s => { const t = s.toLowerCase().replace(/[^a-z]/g, ''); return t === reverse(t); };
const anagrams = (...ws) => new Set(ws.map(w => [...w.toLowerCase()].sort().join(''))).size === 1;
console.log(isPalindrome('A man, a plan, a canal: Panama'), anagrams('Listen', 'Silent', 'Enlist'), reverse('año 😀'));
const morse = { s: '...', o: '---', e: '.', t: '-' };
console.log([...'sos'].map(c => morse[c]).join(' '), 'abc'.at(-1), 'x'.repeat(3), ' pad '.trimStart() + '|', 'a-b-c'.replaceAll('-', '+'), 'lone \ud800'.isWellFormed());
const hash = [...'hello'].reduce((h, c) => (Math.imul(h, 31) + c.charCodeAt(0)) | 0, 0);
({ hash, hex: (hash >>> 0).toString(16), rle: 'aaabccd'.replace(/(.)\1+/g, (m, c) => c + m.length) });
