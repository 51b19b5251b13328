// Cycles and shared references
const a = { name: 'a' };
a.self = a;
console.log(a);

const parent = { name: 'parent', children: [] };
for (const name of ['x', 'y']) parent.children.push({ name, parent });
console.log(parent);
console.log(parent.children[0]);

const list = [1, 2];
list.push(list, [list]);
console.log(list);

const m = new Map();
m.set('me', m).set('list', [m]);
console.log(m);

const s = new Set();
s.add(s);
console.log(s);

const left = { id: 'left' }, right = { id: 'right', left };
left.right = right;
console.log({ left, right });

const shared = { v: 1 };
console.log([shared, shared], { p: shared, q: shared });

class TreeNode {
  constructor(value, parent = null) {
    this.value = value;
    this.parent = parent;
    this.kids = [];
    parent?.kids.push(this);
  }
  get depth() { return this.parent ? this.parent.depth + 1 : 0; }
  *walk() { yield this; for (const k of this.kids) yield* k.walk(); }
}
const root = new TreeNode('root');
const branch = new TreeNode('branch', root);
new TreeNode('leaf', branch);
console.log(root);
console.log([...root.walk()].map(n => `${'  '.repeat(n.depth)}${n.value}`).join('\n'));

try {
  JSON.stringify(a);
} catch (e) {
  console.log(e.name);
}
const seen = new WeakSet();
const safe = JSON.stringify(parent, (k, v) => {
  if (typeof v === 'object' && v !== null) {
    if (seen.has(v)) return '[cycle]';
    seen.add(v);
  }
  return v;
});
console.log(safe);
const ring = { value: 1, next: { value: 2, next: { value: 3 } } };
ring.next.next.next = ring;
ring;
