// ends: recursion
// attacks: a tag that applies itself to a template
const tag = (strings, ...values) => tag`a${values}b`;
tag``;
