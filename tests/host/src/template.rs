//! `{{ name }}` templates of the manifest: parsed once, filled in from variables. Pure.

use crate::variables::VariableError;

/// A string in which `{{ name }}` stands for a variable's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template(Vec<Part>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Literal(String),
    Variable(String),
}

impl Template {
    /// Parses a template; an opening `{{` without its `}}` is an error.
    pub fn parse(text: &str) -> Result<Self, VariableError> {
        let mut parts = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            match rest.split_once("{{") {
                None => {
                    parts.push(Part::Literal(rest.to_owned()));
                    break;
                }
                Some((literal, after)) => {
                    if !literal.is_empty() {
                        parts.push(Part::Literal(literal.to_owned()));
                    }
                    let Some((name, after)) = after.split_once("}}") else {
                        return Err(VariableError::BadTemplate(text.to_owned()));
                    };
                    parts.push(Part::Variable(name.trim().to_owned()));
                    rest = after;
                }
            }
        }
        Ok(Self(parts))
    }

    /// Whether the template names no variable.
    pub fn is_literal(&self) -> bool {
        self.variables().next().is_none()
    }

    /// The variables that the template names.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|part| match part {
            Part::Literal(_) => None,
            Part::Variable(name) => Some(name.as_str()),
        })
    }

    /// The text with every variable replaced by what `value` says.
    pub fn fill<'v>(
        &self,
        value: impl Fn(&str) -> Result<&'v str, VariableError>,
    ) -> Result<String, VariableError> {
        let mut filled = String::new();
        for part in &self.0 {
            match part {
                Part::Literal(text) => filled.push_str(text),
                Part::Variable(name) => filled.push_str(value(name)?),
            }
        }
        Ok(filled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(template: &str) -> Result<String, VariableError> {
        Template::parse(template)?.fill(|name| match name {
            "host" => Ok("example.com"),
            "empty" => Ok(""),
            other => Err(VariableError::Undefined(other.to_owned())),
        })
    }

    #[test]
    fn variables_are_replaced_and_the_rest_is_kept() {
        assert_eq!(fill("https://{{ host }}:443").unwrap(), "https://example.com:443");
        assert_eq!(fill("{{host}}{{ empty }}{{  host  }}").unwrap(), "example.comexample.com");
        assert_eq!(fill("").unwrap(), "");
        assert_eq!(fill("plain } text {").unwrap(), "plain } text {");
    }

    #[test]
    fn an_unmatched_brace_and_an_unknown_variable_are_errors() {
        assert_eq!(fill("{{ host"), Err(VariableError::BadTemplate("{{ host".to_owned())));
        assert_eq!(fill("{{ nope }}"), Err(VariableError::Undefined("nope".to_owned())));
    }

    #[test]
    fn a_template_without_variables_is_literal() {
        assert!(Template::parse("https://*:*").unwrap().is_literal());
        assert!(!Template::parse("{{ host }}").unwrap().is_literal());
    }
}
