//! What a program left behind, as the sandbox tells it and as models read it.

use crate::Program;

/// What a program left behind; `quarry:sandbox/javascript` tells the same.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ran {
    /// Lines printed, in order.
    pub console: Vec<(Level, String)>,
    /// The last expression's value.
    pub value: RanValue,
    /// What was thrown and not caught.
    pub error: Option<Thrown>,
    /// The limit that ended it.
    pub limit: Option<RanLimit>,
}

/// How loud a printed line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// `console.log`, `console.info`, `console.debug`.
    Plain,
    /// `console.warn`.
    Warn,
    /// `console.error`.
    Error,
}

/// The last expression's value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum RanValue {
    /// There is none.
    #[default]
    None,
    /// As JSON.
    Json(String),
    /// As readable text, where it has no JSON form.
    Text(String),
}

/// What was thrown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thrown {
    /// `TypeError`, `SyntaxError` and the like.
    pub name: String,
    /// What happened.
    pub message: String,
    /// In the program's source, from 1.
    pub line: Option<u32>,
    /// In the program's source, from 1.
    pub column: Option<u32>,
}

/// A limit that ends programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RanLimit {
    /// Wall clock.
    Time,
    /// The heap.
    Memory,
    /// The length of the source.
    Source,
    /// What was printed, and the value.
    Output,
    /// The depth of calls or of nested data.
    Recursion,
}

impl RanLimit {
    const fn as_str(self) -> &'static str {
        match self {
            RanLimit::Time => "time",
            RanLimit::Memory => "memory",
            RanLimit::Source => "source",
            RanLimit::Output => "output",
            RanLimit::Recursion => "recursion",
        }
    }
}

impl Thrown {
    fn told(&self) -> String {
        let Thrown { name, message, line, column } = self;
        match (line, column) {
            (Some(line), Some(column)) => {
                format!("{name}: {message} (line {line}, column {column})")
            }
            _ => format!("{name}: {message}"),
        }
    }
}

/// Warnings and errors are marked in the printed lines.
impl From<Ran> for Program {
    fn from(ran: Ran) -> Self {
        let told = |(level, text): (Level, String)| match level {
            Level::Plain => text,
            Level::Warn => format!("[warn] {text}"),
            Level::Error => format!("[error] {text}"),
        };
        let (value, text) = match ran.value {
            RanValue::None => (None, None),
            RanValue::Json(json) => (serde_json::from_str(&json).ok(), None),
            RanValue::Text(text) => (None, Some(text)),
        };
        Program {
            console: ran.console.into_iter().map(told).collect(),
            value,
            text,
            error: ran.error.as_ref().map(Thrown::told),
            limit: ran.limit.map(|limit| limit.as_str().to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_loud_is_marked_and_what_was_thrown_has_its_place() {
        let thrown = Thrown {
            name: "TypeError".to_owned(),
            message: "no".to_owned(),
            line: Some(2),
            column: Some(7),
        };
        let ran = Ran {
            console: vec![(Level::Plain, "a".to_owned()), (Level::Warn, "b".to_owned())],
            value: RanValue::Json("[1]".to_owned()),
            error: Some(thrown),
            limit: Some(RanLimit::Output),
        };
        let program = Program::from(ran);
        assert_eq!(program.console, ["a", "[warn] b"]);
        assert_eq!(program.value, Some(serde_json::json!([1])));
        assert_eq!(program.error.as_deref(), Some("TypeError: no (line 2, column 7)"));
        assert_eq!(program.limit.as_deref(), Some("output"));
    }
}
