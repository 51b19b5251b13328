//! Turns the events of an ask into what a person wants to read.
//!
//! Border: events in, text out. It prints nothing itself.

use serde_json::Value;
use std::collections::HashMap;
use std::fmt::Write;

const ERASE_LINE: &str = "\r\x1b[2K";
/// Characters of arguments and personas that are shown.
const BRIEF: usize = 100;

/// Whether escape sequences may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Text only.
    Plain,
    /// Colours, and progress lines that are overwritten.
    Terminal,
}

/// Shows one ask.
pub struct Screen {
    style: Style,
    /// Whether a progress line stands at the cursor.
    progress: bool,
    heading: Heading,
    /// Tool calls under way, by id.
    pending: HashMap<String, String>,
    answer: String,
    sources: Vec<Value>,
    cost: Option<Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Heading {
    None,
    Research,
    Answer,
}

impl Screen {
    /// An empty screen.
    pub fn new(style: Style) -> Screen {
        Screen {
            style,
            progress: false,
            heading: Heading::None,
            pending: HashMap::new(),
            answer: String::new(),
            sources: Vec::new(),
            cost: None,
        }
    }

    /// What to print for an event.
    pub fn event(&mut self, name: &str, data: &Value) -> String {
        let mut out = String::new();
        match name {
            "init" => self.init(&mut out, data),
            "persona" => {
                let persona = shorten(text(data, "persona"), BRIEF);
                self.label(&mut out, "Plan", &persona);
            }
            "research_questions" => self.questions(&mut out, data),
            "llm_request" => self.progress(&mut out, phase(text(data, "phase"))),
            "tools" => self.tools(&mut out, data),
            "tool_result" => self.tool_result(&mut out, data),
            "answer_delta" => self.answer_piece(&mut out, text(data, "text")),
            "final_answer" => self.final_answer(&mut out, data),
            "cost_summary" => self.cost = Some(data.clone()),
            "complete" => self.complete(&mut out, data),
            "error" => {
                self.clear(&mut out);
                let error = self.paint("31", "Error");
                let _ = writeln!(out, "\n{error}    {}", text(data, "error"));
            }
            "quota_exceeded" => {
                self.clear(&mut out);
                let paused = self.paint("33", "Paused");
                let _ = writeln!(out, "\n{paused}   {}", text(data, "message"));
            }
            _ => {}
        }
        out
    }

    /// A line that the next output replaces; on a plain screen it is left out.
    pub fn progress(&mut self, out: &mut String, line: &str) {
        if self.style == Style::Plain || line.is_empty() || self.heading == Heading::Answer {
            return;
        }
        let line = self.paint("2", &format!("  … {line}"));
        let _ = write!(out, "{ERASE_LINE}{line}");
        self.progress = true;
    }

    fn init(&mut self, out: &mut String, data: &Value) {
        let model = text(data, "model");
        let note = if data.get("language_model").or(data.get("languageModel"))
            == Some(&Value::Bool(false))
        {
            " (no language model)"
        } else {
            ""
        };
        self.label(out, "Model", &format!("{model}{note}"));
    }

    fn questions(&mut self, out: &mut String, data: &Value) {
        self.clear(out);
        let questions = data.get("questions").and_then(Value::as_array);
        for (index, question) in questions.into_iter().flatten().enumerate() {
            let _ =
                writeln!(out, "         {}. {}", index + 1, question.as_str().unwrap_or_default());
        }
    }

    fn tools(&mut self, out: &mut String, data: &Value) {
        if self.heading == Heading::None {
            self.clear(out);
            let _ = writeln!(out, "{}", self.paint("1", "Research"));
            self.heading = Heading::Research;
        }
        for call in data.get("calls").and_then(Value::as_array).into_iter().flatten() {
            let line = format!("{} {}", text(call, "name"), arguments(call.get("args")));
            self.pending.insert(text(call, "call_id").to_owned(), line);
        }
        self.show_pending(out);
    }

    fn show_pending(&mut self, out: &mut String) {
        let mut lines: Vec<_> = self.pending.values().cloned().collect();
        lines.sort();
        let line = match lines.as_slice() {
            [] => return,
            [one] => one.clone(),
            [first, rest @ ..] => format!("{first} and {} more", rest.len()),
        };
        self.progress(out, &line);
    }

    fn tool_result(&mut self, out: &mut String, data: &Value) {
        self.clear(out);
        self.pending.remove(text(data, "call_id"));
        let output = text(data, "output");
        let (worked, summary) = outcome(output);
        let sign = if worked { self.paint("32", "✓") } else { self.paint("31", "✗") };
        let seconds = data.get("duration").and_then(Value::as_f64).unwrap_or(0.0) / 1000.0;
        let what = format!("{} {}", text(data, "name"), arguments(data.get("args")));
        let summary = self.paint("2", &format!("{summary}, {seconds:.1} s"));
        let _ = writeln!(out, "  {sign} {what}  {summary}");
        self.show_pending(out);
    }

    fn answer_piece(&mut self, out: &mut String, piece: &str) {
        self.open_answer(out);
        self.answer.push_str(piece);
        out.push_str(piece);
    }

    fn open_answer(&mut self, out: &mut String) {
        if self.heading != Heading::Answer {
            self.clear(out);
            let _ = writeln!(out, "\n{}\n", self.paint("1", "Answer"));
            self.heading = Heading::Answer;
        }
    }

    /// The answer is shown once: as it was written, or now, when it was not.
    fn final_answer(&mut self, out: &mut String, data: &Value) {
        let content = text(data, "content");
        let shown = self.answer.trim_end();
        match content.strip_prefix(shown) {
            Some(rest) if !shown.is_empty() => out.push_str(rest.trim_end()),
            _ => {
                if !shown.is_empty() {
                    let _ = writeln!(out, "\n\n{}", self.paint("2", "(corrected)"));
                }
                self.open_answer(out);
                out.push_str(content.trim_end());
            }
        }
        self.answer = content.to_owned();
        self.sources = data.get("sources").and_then(Value::as_array).cloned().unwrap_or_default();
        if self.cost.is_none() {
            self.cost = data.get("costSummary").cloned();
        }
        out.push('\n');
    }

    fn complete(&mut self, out: &mut String, data: &Value) {
        self.clear(out);
        if !self.sources.is_empty() {
            let _ = writeln!(out, "\n{}", self.paint("1", "Sources"));
        }
        for (index, source) in self.sources.iter().enumerate() {
            let number = source.get("n").and_then(Value::as_u64).unwrap_or(index as u64 + 1);
            let url = self.paint("36", text(source, "url"));
            let _ = writeln!(out, "  [{number}] {} {url}", text(source, "title"));
        }
        let seconds = data.get("executionTime").and_then(Value::as_f64).unwrap_or(0.0) / 1000.0;
        let mut line = String::new();
        if let Some(cost) = &self.cost {
            line = match cost.get("totalCost").and_then(Value::as_f64) {
                Some(0.0) => "$0".to_owned(),
                Some(dollars) => format!("${dollars:.4}"),
                None => "unknown".to_owned(),
            };
            let count = |name: &str| {
                cost.pointer(&format!("/tokenCounts/{name}")).and_then(Value::as_u64).unwrap_or(0)
            };
            let _ = write!(line, ", {} tokens in, {} out, ", count("input"), count("output"));
        }
        let _ = write!(line, "{seconds:.1} s");
        out.push('\n');
        self.label(out, "Cost", &line);
    }

    fn label(&mut self, out: &mut String, label: &str, value: &str) {
        self.clear(out);
        let _ = writeln!(out, "{} {value}", self.paint("1", &format!("{label:<8}")));
    }

    /// Takes the progress line away.
    fn clear(&mut self, out: &mut String) {
        if self.progress {
            out.push_str(ERASE_LINE);
            self.progress = false;
        }
    }

    fn paint(&self, code: &str, text: &str) -> String {
        match self.style {
            Style::Plain => text.to_owned(),
            Style::Terminal => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }
}

/// Seconds as a person says them.
pub fn duration(seconds: f64) -> String {
    let whole = seconds.ceil().max(0.0) as u64;
    match (whole / 3600, whole / 60 % 60, whole % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

fn phase(phase: &str) -> &str {
    match phase {
        "initial_setup" => "thinking about the question",
        "planning" => "planning",
        "tool_iteration" => "deciding what to look up",
        "search_summary" => "digesting what was found",
        "final_synthesis" => "writing the answer",
        other => other,
    }
}

/// A tool call's arguments in brief: the one that matters.
fn arguments(args: Option<&Value>) -> String {
    let Some(args) = args.and_then(Value::as_object) else { return String::new() };
    let main = ["query", "url", "code"].iter().find_map(|name| args.get(*name)?.as_str());
    match main {
        Some(main) => shorten(main, BRIEF),
        None => shorten(&Value::Object(args.clone()).to_string(), BRIEF),
    }
}

/// What came of a tool call, from its JSON output.
fn outcome(output: &str) -> (bool, String) {
    let Ok(value) = serde_json::from_str::<Value>(output) else {
        return (true, format!("{} characters", output.chars().count()));
    };
    if let Some(error) = value.get("error") {
        let error = error.as_str().map_or_else(|| error.to_string(), str::to_owned);
        return (false, shorten(&error, BRIEF));
    }
    if let Some(results) = value.get("results").and_then(Value::as_array) {
        let plural = if results.len() == 1 { "" } else { "s" };
        return (true, format!("{} result{plural}", results.len()));
    }
    if let Some(content) = value.get("content").and_then(Value::as_str) {
        return (true, format!("{} characters", content.chars().count()));
    }
    match value.get("result") {
        Some(Value::String(result)) => (true, shorten(result, 60)),
        Some(result) => (true, shorten(&result.to_string(), 60)),
        None => (true, "done".to_owned()),
    }
}

fn text<'a>(data: &'a Value, name: &str) -> &'a str {
    data.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// One line of at most so many characters.
fn shorten(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= most {
        return line;
    }
    let mut cut: String = line.chars().take(most.saturating_sub(1)).collect();
    cut.push('…');
    cut
}

#[cfg(test)]
#[path = "show/tests.rs"]
mod tests;
