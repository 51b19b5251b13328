//! Scripts whose top level awaits or returns, as models write them: they are run as the body of an
//! async function that gives the value of its last expression.
//!
//! Border: it works on the text, with the engine's own parser to see what the text says, and keeps
//! account of what it put in so that places in errors stay those of the author's text.

use std::borrow::Cow;

use boa_engine::{
    Source,
    ast::{
        Expression, Position, Spanned, Statement, StatementListItem,
        expression::{access::PropertyAccess, operator::assign::AssignTarget},
        function::FunctionBody,
        operations::{ContainsSymbol, contains},
        scope::Scope,
    },
    interner::Interner,
    parser::Parser,
};

const BEFORE: &str = "(async () => {";
const AFTER: &str = "\n})()";
const RETURN: &str = "return ";

/// A script as it is run.
pub(crate) struct Code<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) shift: Shift,
}

/// What was put into a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Shift {
    /// Characters before the first line.
    before: u32,
    /// Where [`RETURN`] is, as line and column of the author's text.
    returns: Option<(u32, u32)>,
}

impl<'a> Code<'a> {
    /// The text as it is.
    pub(crate) fn plain(text: &'a str) -> Self {
        Self { text: Cow::Borrowed(text), shift: Shift::default() }
    }

    /// The text as a function's body, if its top level awaits something.
    pub(crate) fn awaiting(text: &'a str) -> Option<Self> {
        if !text.contains("await") {
            return None;
        }
        Self::body(text, |body| contains(body, ContainsSymbol::AwaitExpression))
    }

    /// A text that is no script as a function's body, if it is one: it may return, or have a
    /// `for await`.
    pub(crate) fn returning(text: &'a str) -> Option<Self> {
        let may = text.contains("return") || text.contains("await");
        if may { Self::body(text, |_| true) } else { None }
    }

    fn body(text: &'a str, wanted: impl FnOnce(&FunctionBody) -> bool) -> Option<Self> {
        let before = u32::try_from(BEFORE.len()).ok()?;
        let plain = Shift { before, returns: None };
        let whole = format!("{BEFORE}{text}{AFTER}");
        let last = parse(&whole, |body| wanted(body).then(|| last_expression(body)))?;
        let with_value = last.and_then(|(line, column)| {
            let (line, column) = plain.original(line, column);
            let at = offset(text, line, column)?;
            let (head, tail) = text.split_at_checked(at)?;
            let whole = format!("{BEFORE}{head}{RETURN}{tail}{AFTER}");
            // A place that is not where a statement starts shows itself here.
            parse(&whole, |_| Some(()))?;
            let shift = Shift { before, returns: Some((line, column)) };
            Some(Self { text: Cow::Owned(whole), shift })
        });
        Some(with_value.unwrap_or(Self { text: Cow::Owned(whole), shift: plain }))
    }
}

impl Shift {
    /// Whether the script is run as a function's body.
    pub(crate) fn is_body(self) -> bool {
        self.before > 0
    }

    /// A place of the text that is run, as one of the author's.
    pub(crate) fn original(self, line: u32, column: u32) -> (u32, u32) {
        let column = if line == 1 { column.saturating_sub(self.before).max(1) } else { column };
        let width = u32::try_from(RETURN.len()).unwrap_or(0);
        match self.returns {
            Some((returns, from)) if line == returns && column > from => {
                (line, column.saturating_sub(width).max(from))
            }
            _ => (line, column),
        }
    }
}

/// Looks at the body of the function that `whole` is.
fn parse<T>(whole: &str, look: impl FnOnce(&FunctionBody) -> Option<T>) -> Option<T> {
    let mut interner = Interner::default();
    let script = Parser::new(Source::from_bytes(whole))
        .parse_script(&Scope::new_global(), &mut interner)
        .ok()?;
    let [StatementListItem::Statement(statement)] = script.statements().statements() else {
        return None;
    };
    let Statement::Expression(Expression::Call(call)) = statement.as_ref() else { return None };
    let Expression::Parenthesized(function) = call.function() else { return None };
    let Expression::AsyncArrowFunction(function) = function.expression() else { return None };
    look(function.body())
}

/// Where the last statement starts, when it is an expression.
fn last_expression(body: &FunctionBody) -> Option<(u32, u32)> {
    let StatementListItem::Statement(statement) = body.statements().last()? else { return None };
    let Statement::Expression(expression) = statement.as_ref() else { return None };
    let start = leftmost(expression);
    Some((start.line_number(), start.column_number()))
}

/// Where an expression's text begins. The engine's own span of a call, for one, is that of its
/// arguments.
fn leftmost(mut expression: &Expression) -> Position {
    loop {
        let inner = match expression {
            Expression::Call(call) => Some(call.function()),
            Expression::Optional(optional) => Some(optional.target()),
            Expression::TaggedTemplate(template) => Some(template.tag()),
            Expression::Binary(binary) => Some(binary.lhs()),
            Expression::Conditional(conditional) => Some(conditional.condition()),
            Expression::PropertyAccess(access) => owner(access),
            Expression::Assign(assign) => match assign.lhs() {
                AssignTarget::Access(access) => owner(access),
                AssignTarget::Identifier(_) | AssignTarget::Pattern(_) => None,
            },
            _ => None,
        };
        let Some(inner) = inner else { return expression.span().start() };
        expression = inner;
    }
}

/// What a property is taken from.
fn owner(access: &PropertyAccess) -> Option<&Expression> {
    match access {
        PropertyAccess::Simple(access) => Some(access.target()),
        PropertyAccess::Private(access) => Some(access.target()),
        PropertyAccess::Super(_) => None,
    }
}

/// The byte where a place is; lines and columns count from 1, columns in characters.
fn offset(text: &str, line: u32, column: u32) -> Option<usize> {
    let mut start = 0;
    for _ in 1..line {
        start += text.get(start..)?.find('\n')? + 1;
    }
    let rest = text.get(start..)?;
    let column = usize::try_from(column).ok()?.checked_sub(1)?;
    let within = rest.char_indices().map(|(at, _)| at).nth(column)?;
    Some(start + within)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn awaiting(text: &str) -> Option<String> {
        Code::awaiting(text).map(|code| code.text.into_owned())
    }

    #[test]
    fn the_last_expression_is_returned() {
        for (text, expected) in [
            ("await 1", "return await 1"),
            ("const a = await 1;\na", "const a = await 1;\nreturn a"),
            ("await 1; a + b\n  * 2; // end", "await 1; return a + b\n  * 2; // end"),
            ("await 1; ({ a: 1 })", "await 1; return ({ a: 1 })"),
            ("await 1; f(2)(3).g", "await 1; return f(2)(3).g"),
            ("await 1; a?.b", "await 1; return a?.b"),
            ("await 1; x = 'é'; y ? 1 : 2", "await 1; x = 'é'; return y ? 1 : 2"),
            ("await 1; `a${b}`", "await 1; return `a${b}`"),
            ("await 1; a.b = c", "await 1; return a.b = c"),
            ("await 1; [a, b] = c", "await 1; return [a, b] = c"),
            ("await 1; new Map([[1, 2]])", "await 1; return new Map([[1, 2]])"),
            ("await 1; if (a) b", "await 1; if (a) b"),
            ("await 1; let c = 2", "await 1; let c = 2"),
        ] {
            assert_eq!(awaiting(text), Some(format!("{BEFORE}{expected}{AFTER}")), "{text}");
        }
    }
}
