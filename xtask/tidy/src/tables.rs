//! The tables of ARCHITECTURE.md that say which test shows what: a test that was renamed leaves no name behind.

use crate::Findings;
use crate::files::walk;
use anyhow::Result;
use std::collections::BTreeSet;
use std::fs;
use xtask::paths;

pub fn check(findings: &mut Findings) -> Result<()> {
    let root = paths::root();
    let mut functions = BTreeSet::new();
    for file in walk(&root)? {
        if file.extension().is_some_and(|extension| extension == "rs") {
            functions.extend(declared(&fs::read_to_string(file)?));
        }
    }
    let text = fs::read_to_string(root.join("ARCHITECTURE.md"))?;
    for (line, test) in told(&text) {
        if !functions.contains(test) {
            let error = format!("ARCHITECTURE.md, line {line}: the test {test} is nowhere");
            findings.errors.push(error);
        }
    }
    Ok(())
}

/// The functions of a source file.
fn declared(source: &str) -> Vec<String> {
    let names = source.split("fn ").skip(1).map(|rest| {
        rest.chars().take_while(|sign| sign.is_ascii_alphanumeric() || *sign == '_').collect()
    });
    names.collect()
}

/// Names of tests in the last column of tables that have such a column, each with its line. What is no name of a
/// function, as a path or a command, is left out.
fn told(text: &str) -> Vec<(usize, &str)> {
    let (mut found, mut is_within) = (Vec::new(), false);
    for (line, number) in text.lines().zip(1..) {
        let Some(row) = line.strip_prefix('|').and_then(|line| line.strip_suffix('|')) else {
            is_within = false;
            continue;
        };
        let last = row.rsplit(" | ").next().unwrap_or_default();
        is_within |= last.trim() == "test";
        let names = last.split('`').skip(1).step_by(2).filter(|name| is_name(name));
        found.extend(names.filter(|_| is_within).map(|name| (number, name)));
    }
    found
}

fn is_name(text: &str) -> bool {
    let is_sign = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    text.contains('_') && text.bytes().all(is_sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_last_column_of_tables_about_tests() {
        let text = "| a | test |\n|---|---|\n| `x_y` | `it_works`, `tests/there`, `so_does_this` |\n\n\
            | a | b |\n|---|---|\n| x | `no_test` |\n";
        assert_eq!(told(text), [(3, "it_works"), (3, "so_does_this")]);
        let source = "fn it_works() {}\nasync fn so_does_this<T>()";
        assert_eq!(declared(source), ["it_works", "so_does_this"]);
    }
}
