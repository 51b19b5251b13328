// ends: time
// attacks: a construct trap reached through super()
const Base = new Proxy(class {}, { construct() { for (;;); } });
class Derived extends Base {}
new Derived();
