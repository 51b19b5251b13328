//! Payloads in a few words.

use quarry_events::{AnswerFormat, FinalAnswer, Finish, Stage, StageName, ToolResult, Waiting};
use quarry_evidence::verify::Veto;
use quarry_types::text;
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// Characters of calls and personas that are shown.
pub const BRIEF: usize = 100;

/// Seconds as a person says them.
pub fn duration(seconds: f64) -> String {
    let whole = seconds.ceil().max(0.0) as u64;
    match (whole / 3600, whole / 60 % 60, whole % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, 0) => format!("{minutes} min"),
        (hours, 0, _) => format!("{hours} h"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    }
}

/// A cost. One that is not wholly known is "unknown", never the part that is.
pub fn cost(dollars: f64, known: bool) -> String {
    match (known, dollars) {
        (false, 0.0) => "unknown".to_owned(),
        (false, part) => format!("unknown (${} of it known)", text::dollars(part, 4)),
        (true, dollars) => format!("${}", text::dollars(dollars, 4)),
    }
}

/// What a model call is for.
pub fn phase(phase: &str) -> &str {
    match phase {
        "initial_setup" => "thinking about the question",
        "planning" => "planning",
        "tool_iteration" => "deciding what to look up",
        "search_summary" => "digesting what was found",
        "final_synthesis" => "writing the answer",
        "final_format" => "putting the answer into its form",
        other => other,
    }
}

/// An answer as people read it: what is for a program with each member on a line of its own.
pub fn content(answer: &FinalAnswer) -> Cow<'_, str> {
    let content = answer.content.as_str();
    match answer.format {
        Some(AnswerFormat::Json) => {
            // Numbers and the order of members stay as they came.
            let value: Option<Box<RawValue>> = serde_json::from_str(content).ok();
            value.map_or(Cow::Borrowed(content), |_| Cow::Owned(indented(content)))
        }
        None => Cow::Borrowed(content),
    }
}

/// A JSON text with each member on a line of its own.
fn indented(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    let (mut depth, mut in_text, mut is_escaped) = (0_usize, false, false);
    let line = |out: &mut String, depth: usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth));
    };
    for sign in text.chars() {
        if in_text {
            in_text = is_escaped || sign != '"';
            is_escaped = !is_escaped && sign == '\\';
            out.push(sign);
            continue;
        }
        match sign {
            ' ' | '\t' | '\r' | '\n' => {}
            '}' | ']' if out.ends_with(['{', '[']) => {
                depth = depth.saturating_sub(1);
                out.push(sign);
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(&mut out, depth);
                out.push(sign);
            }
            _ => {
                if out.ends_with(['{', '[']) && depth > 0 {
                    line(&mut out, depth);
                }
                depth += usize::from(matches!(sign, '{' | '['));
                in_text = sign == '"';
                out.push(sign);
                match sign {
                    ',' => line(&mut out, depth),
                    ':' => out.push(' '),
                    _ => {}
                }
            }
        }
    }
    out
}

/// A stage that begins.
pub fn stage(stage: &Stage) -> String {
    match (stage.name, stage.iteration) {
        (StageName::Setup, _) => "thinking about the question".to_owned(),
        (StageName::Planning, _) => "planning".to_owned(),
        (StageName::Research, Some(iteration)) => format!("researching, round {iteration}"),
        (StageName::Research, None) => "researching".to_owned(),
        (StageName::Retrieve, _) => "searching the documents".to_owned(),
        (StageName::Context, _) => "reading what was found".to_owned(),
        (StageName::Citations, _) => "checking the citations".to_owned(),
        (StageName::Answer | StageName::Generate, _) => "writing the answer".to_owned(),
    }
}

/// Why an answer ends before its end; none for one that is whole.
pub const fn finish(finish: Finish) -> Option<&'static str> {
    match finish {
        Finish::Stop => None,
        Finish::Length => Some("the answer reached its length limit"),
        Finish::Budget => Some("the budget cut research short"),
        Finish::Filter => Some("the provider's filter held the answer back"),
        Finish::Broken => Some("the provider broke off while writing the answer"),
        Finish::ProviderError => Some("the provider failed before it wrote an answer"),
    }
}

/// A wait for the provider.
pub fn waiting(waiting: &Waiting) -> String {
    format!("waiting {}: {}", duration(waiting.seconds.0), shorten(&waiting.message, BRIEF))
}

/// What came of a tool call.
pub fn outcome(result: &ToolResult) -> String {
    if let Some(error) = &result.error {
        return shorten(&error.message, BRIEF);
    }
    let Ok(value) = serde_json::from_str::<Value>(&result.output) else {
        return format!("{} characters", result.output.chars().count());
    };
    for (found, [one, several]) in
        [("results", ["result", "results"]), ("passages", ["passage", "passages"])]
    {
        if let Some(found) = value.get(found).and_then(Value::as_array) {
            return text::count(found.len() as u64, one, several);
        }
    }
    if let Some(content) = value.get("content").and_then(Value::as_str) {
        return format!("{} characters", content.chars().count());
    }
    match value.get("result") {
        Some(Value::String(result)) => shorten(result, 60),
        Some(result) => shorten(&result.to_string(), 60),
        None => "done".to_owned(),
    }
}

/// What differs between a sentence and what it cites; none where nothing can be named.
pub const fn difference(veto: Veto) -> Option<&'static str> {
    match veto {
        Veto::Number => Some("a number"),
        Veto::Date => Some("a date"),
        Veto::Ordinal => Some("a place in a row"),
        Veto::Unit => Some("a unit"),
        Veto::Entity => Some("a name"),
        Veto::Polarity => Some("a “not”"),
        Veto::Reserve => Some("how certain it is"),
        Veto::Antonym => Some("a word that means the opposite"),
        Veto::Absolute => Some("an “all”, “only” or “never”"),
        Veto::Quotation => Some("the words of a quotation"),
        Veto::Swapped => Some("two names that changed places"),
        Veto::Question | Veto::TooShort | Veto::TooLong | Veto::Unread => None,
    }
}

/// Why a sentence could not be checked.
pub const fn obstacle(veto: Veto) -> Option<&'static str> {
    match veto {
        Veto::Question => Some("it is a question"),
        Veto::TooShort => Some("it says too little to be checked"),
        Veto::TooLong => Some("it says too much to be checked as one sentence"),
        Veto::Unread => Some("its page was not read, only what a search says of it"),
        Veto::Number
        | Veto::Date
        | Veto::Ordinal
        | Veto::Unit
        | Veto::Entity
        | Veto::Polarity
        | Veto::Reserve
        | Veto::Antonym
        | Veto::Absolute
        | Veto::Quotation
        | Veto::Swapped => None,
    }
}

/// Whether a character only stands where it is written: those that move the cursor, change its colour or turn
/// the direction of others do more.
pub fn is_plain(c: char) -> bool {
    !c.is_control() && !matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// What a page says, as a terminal may show it.
pub fn clean(text: &str) -> String {
    text.chars().filter(|c| is_plain(*c)).collect()
}

/// What is said of an event that cannot be shown.
pub fn left_out(id: &str, error: &impl std::fmt::Display) -> String {
    format!("event {} is left out: {}", shorten(id, BRIEF), shorten(&error.to_string(), 4 * BRIEF))
}

/// One line of at most so many characters.
pub fn shorten(text: &str, most: usize) -> String {
    let line = clean(&text.split_whitespace().collect::<Vec<_>>().join(" "));
    if line.chars().count() <= most {
        return line;
    }
    let mut cut: String = line.chars().take(most.saturating_sub(1)).collect();
    cut.push('…');
    cut
}
