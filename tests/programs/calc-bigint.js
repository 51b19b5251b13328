// Exact arithmetic with BigInt
const factorial = n => { let r = 1n; for (let i = 2n; i <= BigInt(n); i++) r *= i; return r; };
const fib = n => { let [a, b] = [0n, 1n]; while (n-- > 0) [a, b] = [b, a + b]; return a; };

console.log('20! =', factorial(20));
console.log('50! =', factorial(50).toString());
console.log('100! has', String(factorial(100)).length, 'digits and', String(factorial(100)).match(/0*$/)[0].length, 'trailing zeros');
console.log('F(100) =', fib(100), '| F(300) =', fib(300).toLocaleString('en-US'));

const isqrt = n => { let x = BigInt(Math.floor(Math.sqrt(Number(n)))); while (x * x > n) x--; while ((x + 1n) * (x + 1n) <= n) x++; return x; };
console.log('isqrt(2·10^30) =', isqrt(2n * 10n ** 30n));

// π to 60 digits by Machin's formula
function arctanInverse(x, unity) {
  let sum = unity / x, term = sum, n = 3n, sign = -1n;
  const square = x * x;
  while (term !== 0n) {
    term /= square;
    sum += sign * (term / n);
    sign = -sign;
    n += 2n;
  }
  return sum;
}
const unity = 10n ** 70n;
const pi = (4n * (4n * arctanInverse(5n, unity) - arctanInverse(239n, unity))) / 10n ** 10n;
const digits = pi.toString();
console.log(`π = ${digits[0]}.${digits.slice(1).match(/.{1,10}/g).join(' ')}`);

console.log(7n / 2n, -7n / 2n, -7n % 3n, 2n ** 64n - 1n, typeof 1n, 1n === 1, 1n == 1, 2n > 1, [3n, 1, 2n].sort((a, b) => (a < b ? -1 : 1)));
console.log(BigInt(Number.MAX_SAFE_INTEGER) + 2n, Number.MAX_SAFE_INTEGER + 2, Number(2n ** 60n), BigInt('123456789012345678901234567890') % 97n);
try { 1n + 1; } catch (e) { console.log(e.name); }
try { BigInt(1.5); } catch (e) { console.log(e.name); }
try { JSON.stringify({ n: 1n }); } catch (e) { console.log(e.name); }

// IBAN check by mod 97
const iban = 'DE89 3704 0044 0532 0130 00'.replace(/\s/g, '');
const rearranged = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, c => c.charCodeAt(0) - 55);
console.log('IBAN valid:', BigInt(rearranged) % 97n === 1n);
const digitSum = [...String(2n ** 1000n)].reduce((s, d) => s + Number(d), 0);
console.log('Digit sum of 2^1000:', digitSum);
factorial(25);
