// ends: error LimitError
// attacks: an error that calls itself as a limit does; no limit was met, and none must be told
const error = new Error("the program was still running and was stopped");
error.name = "LimitError";
throw error;
