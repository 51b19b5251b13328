// Sorting by several keys, ranking, paging, top n
const films = [
  { title: 'Alien', year: 1979, rating: 8.5, votes: 950_000 },
  { title: 'Heat', year: 1995, rating: 8.3, votes: 720_000 },
  { title: 'Brazil', year: 1985, rating: 7.8, votes: 210_000 },
  { title: 'Aliens', year: 1986, rating: 8.4, votes: 760_000 },
  { title: 'Fargo', year: 1996, rating: 8.1, votes: 730_000 },
  { title: 'Ran', year: 1985, rating: 8.2, votes: 140_000 },
  { title: 'Clue', year: 1985, rating: 7.2, votes: 120_000 },
];

const by = (...keys) => (a, b) => {
  for (const key of keys) {
    const descending = key.startsWith('-');
    const k = descending ? key.slice(1) : key;
    const order = typeof a[k] === 'string' ? a[k].localeCompare(b[k]) : a[k] - b[k];
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
};

const titles = list => list.map(f => f.title).join(', ');
console.log('year, title:   ', titles(films.toSorted(by('year', 'title'))));
console.log('year, -rating: ', titles(films.toSorted(by('year', '-rating'))));
console.log('-votes:        ', titles([...films].sort(by('-votes'))));
console.log('unchanged:     ', titles(films));

const scores = [90, 85, 90, 70, 85, 60];
const dense = scores.map(s => [...new Set(scores)].sort((a, b) => b - a).indexOf(s) + 1);
const standard = scores.map(s => scores.filter(x => x > s).length + 1);
console.log('Ranks:', dense, standard);

console.log('Default sort is by text:', [10, 9, 1, 100].sort(), ['b', undefined, 'a'].sort(), [3, 1, 2].sort((a, b) => b - a));
console.log(films.toSpliced(1, 5).map(f => f.title), films.with(0, 'x').length, films.toReversed()[0].title);
const page = (list, n, size) => list.slice((n - 1) * size, n * size);
console.log('Page 2:', titles(page(films, 2, 3)), '| pages', Math.ceil(films.length / 3));
console.log(films.findLast(f => f.year === 1985).title, films.findLastIndex(f => f.rating > 8.3), films.some(f => f.year > 2000), films.every(f => f.votes > 1e5));

const chunk = (xs, n) => xs.length ? [xs.slice(0, n), ...chunk(xs.slice(n), n)] : [];
console.log(chunk([1, 2, 3, 4, 5, 6, 7], 3));
const weighted = f => (f.votes / (f.votes + 250_000)) * f.rating + (250_000 / (f.votes + 250_000)) * 7;
films.map(f => ({ title: f.title, score: +weighted(f).toFixed(2) })).sort(by('-score')).slice(0, 3);
