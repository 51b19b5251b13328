// ends: value or time or error SyntaxError or error RangeError
// attacks: a BigInt literal of 900,000 digits: conversion from base 10 is quadratic
// value: true
eval("9".repeat(900000) + "n") > 0n;
