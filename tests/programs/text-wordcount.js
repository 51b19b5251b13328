// Word frequencies, n-grams and readability of a text
const text = `It was the best of times, it was the worst of times, it was the age of wisdom,
it was the age of foolishness, it was the epoch of belief, it was the epoch of incredulity,
it was the season of Light, it was the season of Darkness. Don't panic: it's only a novel!`;

const words = text.toLowerCase().match(/[a-z]+(?:'[a-z]+)?/g);
const frequency = words.reduce((map, w) => map.set(w, (map.get(w) || 0) + 1), new Map());
const top = [...frequency].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).slice(0, 6);

console.log(`${text.length} characters, ${words.length} words, ${frequency.size} distinct`);
top.forEach(([word, count], i) => {
  console.log(`${i + 1}. ${word.padEnd(8, '.')} ${'#'.repeat(count)} ${count}`);
});

const ngrams = (list, n) => list.slice(0, list.length - n + 1).map((_, i) => list.slice(i, i + n).join(' '));
const count = list => list.reduce((acc, g) => ({ ...acc, [g]: (acc[g] ?? 0) + 1 }), {});
const trigrams = Object.entries(count(ngrams(words, 3))).filter(([, c]) => c > 2);
console.log('Frequent trigrams:', trigrams);

const sentences = text.split(/[.!?]+/).map(s => s.trim()).filter(Boolean);
const syllables = w => Math.max(1, (w.replace(/e$/, '').match(/[aeiouy]+/g) ?? []).length);
const total = words.reduce((s, w) => s + syllables(w), 0);
const flesch = 206.835 - 1.015 * (words.length / sentences.length) - 84.6 * (total / words.length);
console.log(`${sentences.length} sentences, ${total} syllables, Flesch ${flesch.toFixed(1)}`);

const title = 'the old man and the sea'.replace(/\b\w/g, c => c.toUpperCase());
const camel = 'total_amount_due'.replace(/_(\w)/g, (_, c) => c.toUpperCase());
const slug = '  Crème Brûlée: 10 Recipes! '.normalize('NFD').replace(/[\u0300-\u036f]/g, '').toLowerCase().trim().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
console.log([title, camel, slug]);

const letters = [...text.toLowerCase()].filter(c => /\p{L}/u.test(c));
const longest = [...new Set(words)].sort((a, b) => b.length - a.length)[0];
({ letters: letters.length, longest, palindrome: /^(.)(.).*\2\1$/.test('racecar') });
