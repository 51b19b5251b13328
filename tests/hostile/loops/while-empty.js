// ends: time
// attacks: the plainest endless loop, with an empty body
while (true) {}
