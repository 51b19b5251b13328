// Edit distance, longest common subsequence, fuzzy matching
function levenshtein(a, b) {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      current[j] = Math.min(
        previous[j] + 1,
        current[j - 1] + 1,
        previous[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
    }
    previous = current;
  }
  return previous[b.length];
}

function lcs(a, b) {
  const table = Array.from({ length: a.length + 1 }, () => Array(b.length + 1).fill(''));
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++)
      table[i][j] = a[i - 1] === b[j - 1]
        ? table[i - 1][j - 1] + a[i - 1]
        : table[i - 1][j].length >= table[i][j - 1].length ? table[i - 1][j] : table[i][j - 1];
  return table[a.length][b.length];
}

for (const [a, b] of [['kitten', 'sitting'], ['flaw', 'lawn'], ['Saturday', 'Sunday'], ['', 'abc'], ['same', 'same']]) {
  console.log(`${JSON.stringify(a)} → ${JSON.stringify(b)}: ${levenshtein(a, b)}, common "${lcs(a, b)}"`);
}

const dictionary = ['receive', 'believe', 'separate', 'definitely', 'necessary', 'occurrence'];
const suggest = word => dictionary
  .map(w => ({ w, d: levenshtein(word, w) }))
  .sort((x, y) => x.d - y.d || x.w.localeCompare(y.w))[0];
for (const typo of ['recive', 'seperate', 'definately', 'neccessary', 'ocurence']) {
  const { w, d } = suggest(typo);
  console.log('%s -> %s (%d edit%s)', typo, w, d, d === 1 ? '' : 's');
}

const bigrams = s => new Set(Array.from({ length: s.length - 1 }, (_, i) => s.slice(i, i + 2)));
const dice = (a, b) => {
  const [x, y] = [bigrams(a), bigrams(b)];
  return (2 * x.intersection(y).size) / (x.size + y.size);
};
console.log('Dice night/nacht:', dice('night', 'nacht'));
const soundex = s => {
  const codes = { b: 1, f: 1, p: 1, v: 1, c: 2, g: 2, j: 2, k: 2, q: 2, s: 2, x: 2, z: 2, d: 3, t: 3, l: 4, m: 5, n: 5, r: 6 };
  const digits = [...s.toLowerCase().replace(/(?<!^)[hw]/g, '')].map(c => codes[c] ?? 0);
  const rest = digits.filter((d, i) => i === 0 || d !== digits[i - 1]).slice(1).filter(Boolean);
  return (s[0].toUpperCase() + rest.join('') + '000').slice(0, 4);
};
['Robert', 'Rupert', 'Tymczak', 'Ashcraft'].map(n => `${n}:${soundex(n)}`);
