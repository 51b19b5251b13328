//! A template: front matter, then text with `{{variables}}`.

/// A parsed template file.
#[derive(Debug, Clone)]
pub struct Template<'a> {
    id: &'a str,
    /// Name and cap in characters.
    variables: Vec<(&'a str, usize)>,
    body: &'a str,
}

/// What is wrong between a template and those who fill it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// Front matter declares it, the text does not use it.
    Unused(String),
    /// The text uses it, front matter does not declare it.
    Undeclared(String),
    /// Front matter declares it, nobody fills it.
    Unfilled(String),
    /// Somebody fills it, front matter does not declare it.
    Unknown(String),
}

impl<'a> Template<'a> {
    /// Reads a template. What is missing shows in [`Template::problems`].
    #[must_use]
    pub fn parse(source: &'a str) -> Self {
        let (front, body) = source
            .strip_prefix("---\n")
            .and_then(|rest| rest.split_once("\n---\n"))
            .unwrap_or(("", source));
        let field = |name: &str| {
            front
                .lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))
                .unwrap_or("")
                .trim()
        };
        let variables = field("variables")
            .split(", ")
            .filter_map(|item| item.trim().strip_suffix(')')?.split_once('('))
            .filter_map(|(name, cap)| Some((name, cap.parse().ok()?)))
            .collect();
        Template { id: field("id"), variables, body: body.trim_end() }
    }

    /// The template's id.
    #[must_use]
    pub const fn id(&self) -> &'a str {
        self.id
    }

    /// Fills the template, each value cut to its cap.
    #[must_use]
    pub fn render(&self, values: &[(&str, &str)]) -> String {
        substitute(self.body, |name| {
            let (_, value) = values.iter().find(|(given, _)| *given == name)?;
            let cap = self.variables.iter().find(|(given, _)| *given == name)?.1;
            Some(cut(value, cap))
        })
    }

    /// Everything that does not fit between front matter, text and the names that are filled.
    #[must_use]
    pub fn problems(&self, filled: &[&str]) -> Vec<Problem> {
        let mut used = Vec::new();
        substitute(self.body, |name| {
            used.push(name.to_owned());
            None
        });
        let declared: Vec<&str> = self.variables.iter().map(|(name, _)| *name).collect();
        let mut problems = Vec::new();
        for name in &declared {
            if !used.iter().any(|other| other == name) {
                problems.push(Problem::Unused((*name).to_owned()));
            }
            if !filled.contains(name) {
                problems.push(Problem::Unfilled((*name).to_owned()));
            }
        }
        problems.extend(
            used.iter()
                .filter(|name| !declared.contains(&name.as_str()))
                .cloned()
                .map(Problem::Undeclared),
        );
        problems.extend(
            filled
                .iter()
                .filter(|name| !declared.contains(name))
                .map(|name| Problem::Unknown((*name).to_owned())),
        );
        problems
    }
}

/// Replaces each `{{name}}` for which `value` knows a value, in one pass: values are not read
/// again. Names without a value stay as they are.
pub fn substitute<'v>(body: &str, mut value: impl FnMut(&str) -> Option<&'v str>) -> String {
    let mut out = String::with_capacity(body.len() * 2);
    let mut rest = body;
    while let Some((before, after)) = split_at_pair(rest, '{') {
        out.push_str(before);
        match split_at_pair(after, '}') {
            Some((name, tail)) => {
                match value(name.trim()) {
                    Some(text) => out.push_str(text),
                    None => {
                        out.push_str("{{");
                        out.push_str(name);
                        out.push_str("}}");
                    }
                }
                rest = tail;
            }
            None => {
                out.push_str("{{");
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// The text before and behind the first pair of a sign. To look for a sign is far cheaper than to look for
/// a text, and a prompt is read at each call.
fn split_at_pair(text: &str, sign: char) -> Option<(&str, &str)> {
    let mut from = 0;
    loop {
        let at = from + text.get(from..)?.find(sign)?;
        let next = at + sign.len_utf8();
        if let Some(after) = text.get(next..)?.strip_prefix(sign) {
            return Some((text.get(..at)?, after));
        }
        from = next;
    }
}

fn cut(text: &str, cap: usize) -> &str {
    // No more bytes than characters may be: nothing has to be counted.
    if text.len() <= cap {
        return text;
    }
    match text.char_indices().nth(cap) {
        Some((end, _)) => text.get(..end).unwrap_or(text),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::{Problem, Template, substitute};

    #[test]
    fn problems_are_told_apart() {
        let template = Template::parse("---\nid: x\nvariables: a(5), b(5)\n---\n{{a}} {{c}}");
        assert_eq!(
            template.problems(&["a", "d"]),
            [
                Problem::Unused("b".into()),
                Problem::Unfilled("b".into()),
                Problem::Undeclared("c".into()),
                Problem::Unknown("d".into()),
            ]
        );
    }

    #[test]
    fn unknown_names_stay() {
        let text = substitute("{{A}} {{B}} {{", |name| (name == "A").then_some("{{B}}"));
        assert_eq!(text, "{{B}} {{B}} {{");
    }

    #[test]
    fn single_braces_are_text() {
        let text = substitute("{\"a\": {{{A}}}, {B} }} {", |name| (name == "A").then_some("1"));
        assert_eq!(text, "{\"a\": {{{A}}}, {B} }} {");
        let text = substitute("{\"a\":{ {{A}}} é{{ A }}", |name| (name == "A").then_some("1"));
        assert_eq!(text, "{\"a\":{ 1} é1");
    }
}
