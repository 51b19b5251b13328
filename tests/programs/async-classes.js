// A small event emitter, an account with private state and an async queue
class Emitter {
  #listeners = new Map();
  on(event, fn) {
    if (!this.#listeners.has(event)) this.#listeners.set(event, []);
    this.#listeners.get(event).push(fn);
    return () => this.#listeners.set(event, this.#listeners.get(event).filter(f => f !== fn));
  }
  emit(event, ...args) { (this.#listeners.get(event) ?? []).forEach(fn => fn(...args)); return this; }
}

class InsufficientFunds extends Error {
  constructor(needed) { super(`${needed.toFixed(2)} short`); this.needed = needed; }
  get name() { return 'InsufficientFunds'; }
}

class Account extends Emitter {
  static #opened = 0;
  static get opened() { return Account.#opened; }
  #balance = 0;
  history = [];
  constructor(owner) { super(); this.owner = owner; Account.#opened++; }
  get balance() { return this.#balance; }
  async deposit(amount) {
    this.#balance += amount;
    this.history.push(['deposit', amount]);
    this.emit('change', this.#balance);
    return this;
  }
  async withdraw(amount) {
    if (amount > this.#balance) throw new InsufficientFunds(amount - this.#balance);
    this.#balance -= amount;
    this.history.push(['withdraw', amount]);
    this.emit('change', this.#balance);
    return this;
  }
  static is(x) { return #balance in x; }
  toString() { return `${this.owner}: ${this.#balance.toFixed(2)}`; }
}

const a = new Account('Mia');
const off = a.on('change', b => console.info(`balance is now ${b}`));
await a.deposit(100);
await (await a.deposit(50.5)).withdraw(20.25);
off();
await a.deposit(1);
try {
  await a.withdraw(500);
} catch (e) {
  console.error(`${e.name}: ${e.message} (${e.needed})`);
}
console.log(`${a}`, Account.opened, Account.is(a), Account.is({}), a.balance, Object.keys(a));
console.log(a.history);

const queue = [];
let chain = Promise.resolve();
const enqueue = job => (chain = chain.then(job));
for (const n of [3, 1, 2]) enqueue(async () => { await null; queue.push(n); });
await chain;
console.log('In order:', queue);
const bound = a.toString.bind({ owner: 'x' });
try { bound(); } catch (e) { console.log(e.name); }
({ owner: a.owner, balance: a.balance, moves: a.history.length })
