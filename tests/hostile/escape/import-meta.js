// ends: error SyntaxError
// attacks: import.meta could name a file of the host
import.meta.url;
