// Knapsack, coin change, Dijkstra, topological order, n queens, binary search
const items = [['laptop', 3, 2000], ['camera', 1, 1500], ['guitar', 4, 3000], ['stereo', 2, 1800]];
function knapsack(items, capacity) {
  const best = Array.from({ length: capacity + 1 }, () => ({ value: 0, chosen: [] }));
  for (const [name, weight, value] of items) {
    for (let w = capacity; w >= weight; w--) {
      const candidate = best[w - weight].value + value;
      if (candidate > best[w].value) best[w] = { value: candidate, chosen: [...best[w - weight].chosen, name] };
    }
  }
  return best[capacity];
}
console.log('Knapsack of 6:', knapsack(items, 6));

const coins = [1, 5, 10, 25, 50];
const ways = Array(101).fill(0);
ways[0] = 1;
for (const c of coins) for (let i = c; i <= 100; i++) ways[i] += ways[i - c];
console.log('Ways to change a dollar:', ways[100]);

const graph = { A: { B: 7, C: 9, F: 14 }, B: { A: 7, C: 10, D: 15 }, C: { A: 9, B: 10, D: 11, F: 2 }, D: { B: 15, C: 11, E: 6 }, E: { D: 6, F: 9 }, F: { A: 14, C: 2, E: 9 } };
function dijkstra(graph, start) {
  const distance = Object.fromEntries(Object.keys(graph).map(k => [k, Infinity]));
  const previous = {};
  distance[start] = 0;
  const open = new Set(Object.keys(graph));
  while (open.size) {
    const u = [...open].reduce((a, b) => (distance[a] <= distance[b] ? a : b));
    open.delete(u);
    for (const [v, w] of Object.entries(graph[u])) {
      if (distance[u] + w < distance[v]) { distance[v] = distance[u] + w; previous[v] = u; }
    }
  }
  return { distance, previous };
}
const { distance, previous } = dijkstra(graph, 'A');
const path = [];
for (let at = 'E'; at; at = previous[at]) path.unshift(at);
console.log(distance, path.join(' → '));

const tasks = { deploy: ['test', 'build'], test: ['build'], build: ['install'], install: [], docs: ['install'] };
const order = [], seen = new Set();
const visit = t => { if (seen.has(t)) return; seen.add(t); tasks[t].forEach(visit); order.push(t); };
Object.keys(tasks).forEach(visit);
console.log('Order:', order.join(', '));

const queens = (n, row = 0, cols = 0, d1 = 0, d2 = 0) => {
  if (row === n) return 1;
  let count = 0;
  for (let c = 0; c < n; c++) {
    const a = 1 << c, b = 1 << (row + c), d = 1 << (row - c + n);
    if (!(cols & a || d1 & b || d2 & d)) count += queens(n, row + 1, cols | a, d1 | b, d2 | d);
  }
  return count;
};
console.log('Queens:', [4, 5, 6, 7].map(n => queens(n)));
const permutations = xs => xs.length < 2 ? [xs] : xs.flatMap((x, i) => permutations(xs.toSpliced(i, 1)).map(p => [x, ...p]));
console.log(permutations([1, 2, 3]), permutations([...'abcd']).length);
const hanoi = (n, a = 'A', b = 'B', c = 'C') => n === 0 ? [] : [...hanoi(n - 1, a, c, b), `${a}${c}`, ...hanoi(n - 1, b, a, c)];
console.log('Hanoi:', hanoi(3).join(' '));
const memo = {};
const climb = n => n < 2 ? 1 : (memo[n] ??= climb(n - 1) + climb(n - 2));
({ shortest: distance.E, stairs: climb(40), moves: hanoi(10).length });
