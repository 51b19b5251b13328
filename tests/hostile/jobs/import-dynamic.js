// ends: error TypeError or error SyntaxError or error ReferenceError or error Error
// attacks: import() of a module on the host's disk
import("file:///etc/passwd");
