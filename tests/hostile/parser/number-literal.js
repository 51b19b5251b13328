// ends: value
// attacks: a decimal literal of 900,000 digits: conversion is quadratic for a careless one
// value: true
eval("0." + "123456789".repeat(100000)) < 0.2;
