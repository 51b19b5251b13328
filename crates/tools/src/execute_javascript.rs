//! `execute_javascript`: runs a small program. Source: reference section 6.4.

use crate::errand::milliseconds;
use crate::{Errand, FailureKind, Outcome, Program, Sources, Tool};
use quarry_evidence::{Calculation, Evidence};
use quarry_types::text::cut;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Arguments of `execute_javascript`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExecuteJavascript {
    /// The program
    #[schemars(length(min = 1, max = 1_048_576))]
    pub code: String,
    /// Seconds
    #[serde(default = "five")]
    #[schemars(range(min = 1, max = 10))]
    pub timeout: u32,
}

const fn five() -> u32 {
    5
}

impl Tool for ExecuteJavascript {
    const NAME: &'static str = "execute_javascript";
    const DESCRIPTION: &'static str = "Run a small JavaScript program without network, files or timers. Returns what it prints with console.log, or the value of its last expression.";
    const RULE: &'static str = "Calculate with execute_javascript rather than in your head.";

    fn serves(sources: Sources) -> bool {
        sources.program
    }

    fn errand(&self) -> Errand {
        Errand::RunProgram { code: self.code.clone(), timeout_ms: milliseconds(self.timeout) }
    }

    /// `{ result }` or `{ error }`: what was printed is the result, else the value is.
    fn output(&self, outcome: &Outcome) -> Value {
        match outcome {
            Outcome::Program(program) => output(program),
            Outcome::Failed(failure) => json!({ "error": failure.message }),
            Outcome::Found(_) | Outcome::Page(_) | Outcome::Passages(_) => {
                json!({ "error": "no program was run" })
            }
        }
    }

    fn recall(&self, kept: &Value) -> Outcome {
        let text = |name: &str| kept.get(name).and_then(Value::as_str).map(str::to_owned);
        if text("error").is_none() && text("result").is_none() {
            return Outcome::failed(FailureKind::Failed, "the result was not kept");
        }
        Outcome::Program(Program {
            console: text("console").or_else(|| text("result")).into_iter().collect(),
            value: None,
            text: text("value"),
            error: text("error"),
            limit: text("limit"),
        })
    }

    fn learn(&self, outcome: &mut Outcome, evidence: &mut Evidence) -> Vec<usize> {
        if let Outcome::Program(program) = outcome
            && program.error.is_none()
        {
            let (code, result) = (self.code.clone(), result(program));
            evidence.calculate(Calculation { code, result });
        }
        Vec::new()
    }

    fn line(&self) -> String {
        format!("Running a program: {}", cut(self.code.trim(), 80))
    }
}

/// What was printed, else the value.
fn result(program: &Program) -> String {
    if !program.console.is_empty() {
        return program.console.join("\n");
    }
    shown(program).unwrap_or_else(|| "undefined".to_owned())
}

fn shown(program: &Program) -> Option<String> {
    let value = program.value.as_ref().map(|value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    });
    value.or_else(|| program.text.clone())
}

fn output(program: &Program) -> Value {
    let printed = program.console.join("\n");
    let mut out = Map::new();
    if let Some(error) = &program.error {
        out.insert("error".to_owned(), error.as_str().into());
        if !printed.is_empty() {
            out.insert("console".to_owned(), printed.into());
        }
    } else {
        out.insert("result".to_owned(), result(program).into());
        if !printed.is_empty()
            && let Some(shown) = shown(program)
        {
            out.insert("value".to_owned(), shown.into());
        }
    }
    if let Some(limit) = &program.limit {
        out.insert("limit".to_owned(), limit.as_str().into());
    }
    Value::Object(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn js(program: Program) -> Value {
        ExecuteJavascript { code: String::new(), timeout: 5 }.output(&Outcome::Program(program))
    }

    #[test]
    fn a_program_gives_what_it_printed_else_its_value() {
        let printed = Program {
            console: vec!["a".into(), "b".into()],
            value: Some(json!(3)),
            ..Program::default()
        };
        assert_eq!(js(printed), json!({ "result": "a\nb", "value": "3" }));
        let value = Program { value: Some(json!([1, 2])), ..Program::default() };
        assert_eq!(js(value), json!({ "result": "[1,2]" }));
        assert_eq!(js(Program::default()), json!({ "result": "undefined" }));
        let thrown = Program { error: Some("TypeError: x (line 1)".into()), ..Program::default() };
        assert_eq!(js(thrown), json!({ "error": "TypeError: x (line 1)" }));
    }

    #[test]
    fn an_output_reads_back_as_it_was_shown() {
        let tool = ExecuteJavascript { code: "1".into(), timeout: 5 };
        for output in [
            json!({ "result": "a\nb", "value": "3" }),
            json!({ "result": "[1,2]" }),
            json!({ "error": "x", "console": "y", "limit": "time" }),
        ] {
            assert_eq!(tool.output(&tool.recall(&output)), output);
        }
    }
}
