// ends: recursion
// attacks: a class whose field initialiser makes another instance
class Node { child = new Node(); }
new Node();
