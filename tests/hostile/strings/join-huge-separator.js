// ends: memory or error RangeError
// attacks: join with a separator of a megabyte between 10,000 empty elements: 10 GB asked at once
new Array(10000).join("ab".repeat(500000));
