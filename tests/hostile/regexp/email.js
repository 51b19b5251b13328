// ends: time
// attacks: a validator of e-mail addresses as found in the wild, quadratic to exponential
/^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$/
  .test("a".repeat(4000) + "!");
