//! What is known of the terminal that is written to.

use std::io::IsTerminal;
use std::process::{Command, Stdio};

/// Columns of a terminal that does not say how many it has.
const USUAL: usize = 100;
/// The fewest that are reckoned with.
const FEWEST: usize = 30;

/// Columns of the terminal at standard output; none: it is a file or a pipe, where lines are as long as they are.
pub fn width() -> Option<usize> {
    if !std::io::stdout().is_terminal() {
        return None;
    }
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    Some(told.or_else(asked).unwrap_or(USUAL).max(FEWEST))
}

/// Whether escape sequences are wanted.
pub fn has_colours() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// What `stty` says; asking the terminal itself needs code that is not safe, or a library.
fn asked() -> Option<usize> {
    let mut command = Command::new("stty");
    let asked = command.arg("size").stdin(Stdio::inherit()).stderr(Stdio::null()).output().ok()?;
    columns(&String::from_utf8(asked.stdout).ok()?)
}

/// Columns of `rows columns`; none: it does not know.
fn columns(size: &str) -> Option<usize> {
    size.split_whitespace().nth(1)?.parse().ok().filter(|columns| *columns > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_come_behind_rows_and_none_are_unknown() {
        assert_eq!(columns("24 80\n"), Some(80));
        assert_eq!([columns("0 0\n"), columns("24"), columns("")], [None, None, None]);
    }
}
