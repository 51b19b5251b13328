//! Tasks: up, ask, test, bench, build, tidy.
fn main() {}
