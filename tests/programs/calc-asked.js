// Programs as they are written for calculations in questions where no language model writes them. Each stands below its question.

// What is 17 * 23?
{
const value = 17n * 23n;
console.log("17 * 23 = " + value);
}

// What is 2^64?
{
const value = 2n ** 64n;
console.log("2 ** 64 = " + value);
}

// What is -2^2?
{
const value = -(2n ** 2n);
console.log("-(2 ** 2) = " + value);
}

// What is (-2)^2?
{
const value = (-2n) ** 2n;
console.log("(-2) ** 2 = " + value);
}

// What is 200 - 20%?
{
const value = 200 * (100 - 20) / 100;
const rounded = Number.isSafeInteger(value) ? value : Number(value.toPrecision(Math.abs(value) < 1e9 ? 12 : 15));
console.log("200 * (100 - 20) / 100 = " + rounded);
}

// What is 19.99 plus 7 percent?
{
const value = 19.99 * (100 + 7) / 100;
const rounded = Number.isSafeInteger(value) ? value : Number(value.toPrecision(15));
console.log("19.99 * (100 + 7) / 100 = " + rounded);
}

// What is 7% of 300?
{
const value = 7 / 100 * 300;
const rounded = Number.isSafeInteger(value) ? value : Number(value.toPrecision(15));
console.log("7 / 100 * 300 = " + rounded);
}

// What is 0.1 + 0.2?
{
const value = 0.1 + 0.2;
const rounded = Number.isSafeInteger(value) ? value : Number(Number(value.toFixed(1)).toPrecision(15));
console.log("0.1 + 0.2 = " + rounded);
}

// What is 100.1 - 100?
{
const value = 100.1 - 100;
const rounded = Number.isSafeInteger(value) ? value : Number(Number(value.toFixed(1)).toPrecision(15));
console.log("100.1 - 100 = " + rounded);
}

// What is 1,851,851,835,184.5 * 2?
{
const value = 1851851835184.5 * 2;
const rounded = Number.isSafeInteger(value) ? value : Number(value.toPrecision(15));
console.log("1851851835184.5 * 2 = " + rounded);
}

// What is 1,000,000 / 3?
{
const value = 1000000 / 3;
const rounded = Number.isSafeInteger(value) ? value : Number(value.toPrecision(15));
console.log("1000000 / 3 = " + rounded);
}

// Calculate 144/12.
{
const value = 144 / 12;
const rounded = Number.isSafeInteger(value) ? value : Number(value.toPrecision(15));
console.log("144 / 12 = " + rounded);
}

// What is 17 % 5 + 1?
{
const value = 17n % 5n + 1n;
console.log("17 % 5 + 1 = " + value);
}

// What is 1.1 million times 3?
{
const value = 1100000n * 3n;
console.log("1100000 * 3 = " + value);
}

// What is the square root of 144?
{
const value = Math.sqrt(144);
const rounded = Number.isSafeInteger(value) ? value : Number(value.toPrecision(15));
console.log("Math.sqrt(144) = " + rounded);
}

// What is the average of 3, 5 and 8?
{
const value = (3 + 5 + 8) / 3;
const rounded = Number.isSafeInteger(value) ? value : Number(value.toPrecision(15));
console.log("(3 + 5 + 8) / 3 = " + rounded);
}

// What is the difference between 12 and 30?
{
const value = Math.abs(12 - 30);
const rounded = Number.isSafeInteger(value) ? value : Number(value.toPrecision(Math.abs(value) < 1e9 ? 12 : 15));
console.log("Math.abs(12 - 30) = " + rounded);
}

// What is the factorial of 25?
{
const value = Array.from({ length: 25 }, (_, at) => BigInt(at + 1)).reduce((all, each) => all * each, 1n);
console.log("25! = " + value);
}

// What is 2^60 / 2^10?
{
const value = 2 ** 60 / 2 ** 10;
const rounded = Number.isSafeInteger(value) ? value : Number(value.toPrecision(15));
console.log("2 ** 60 / 2 ** 10 = " + rounded);
}

// What is 12345678.12345 + 0.00001?
{
const value = 12345678.12345 + 0.00001;
const rounded = Number.isSafeInteger(value) ? value : Number(Number(value.toFixed(5)).toPrecision(15));
console.log("12345678.12345 + 0.00001 = " + rounded);
}

// What is (100.1 - 100) * 3?
{
const value = (100.1 - 100) * 3;
const rounded = Number.isSafeInteger(value) ? value : Number(value.toPrecision(Math.abs(value) < 1e9 ? 12 : 15));
console.log("(100.1 - 100) * 3 = " + rounded);
}
