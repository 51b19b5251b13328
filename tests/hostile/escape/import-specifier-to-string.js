// ends: time
// attacks: the specifier of import() is converted by the program's own code
import({ toString() { for (;;); } });
