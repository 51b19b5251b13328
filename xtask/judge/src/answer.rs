//! `cargo xtask answer`: questions with texts of their own, answered as `local:extractive` answers.
//!
//! Texts are read as pages are, in Markdown or plain; sentences are ranked by the code that an ask uses.

use crate::lines;
use anyhow::{Context, Result, bail, ensure};
use quarry_evidence::{Anchor, Passage};
use quarry_machines::extractive::{
    Asked, Call, EvidenceSource, Length, Offered, PartRanking, ResearchView, Why, answer,
    next_calls, ranking,
};
use quarry_pages::page::{Headers, PageError, Wanted, read};
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::process::ExitCode;
use url::Url;
use xtask::options::helps::ANSWER;

/// Sentences of a part, unless another number is asked for.
const MOST: usize = 10;
/// Tokens of the written answer at most.
const ANSWER_TOKENS: u64 = 2_000;

/// A question from the file.
struct Question {
    id: Value,
    text: String,
    /// By their places in the line.
    texts: Vec<(usize, Text)>,
    /// Those that nothing was read of, by their places, and why.
    left_out: Vec<(usize, String)>,
}

/// A text from the file, in passages.
struct Text {
    title: String,
    url: String,
    date: Option<String>,
    passages: Vec<Passage>,
}

/// Runs the task.
pub fn run(mut args: lexopt::Parser) -> Result<ExitCode> {
    use lexopt::prelude::*;
    let mut files: Vec<PathBuf> = Vec::new();
    let mut most = MOST;
    while let Some(arg) = args.next()? {
        match arg {
            Short('h') | Long("help") => return xtask::program::help(ANSWER),
            Long("most") => most = args.value()?.parse()?,
            Value(file) if files.len() < 2 => files.push(file.into()),
            other => return Err(xtask::options::unknown(other, ANSWER)),
        }
    }
    let Some(questions) = files.first() else {
        bail!(xtask::options::misused(format!("name a file of questions\n\n{ANSWER}")));
    };
    let out = files.get(1).map(PathBuf::as_path);
    let wrong = lines::each(questions, out, |record, number| {
        *record = answered(&Question::read(record, number)?, most);
        Ok(())
    })?;
    Ok(lines::ended(wrong))
}

impl Question {
    fn read(object: &Map<String, Value>, number: usize) -> Result<Question> {
        let id = match object.get("id") {
            None | Some(Value::Null) => json!(number),
            Some(id @ (Value::String(_) | Value::Number(_))) => id.clone(),
            Some(_) => bail!("field `id` must be a text or a number"),
        };
        let text = text_of(object, "", "question")?.to_owned();
        ensure!(!text.trim().is_empty(), "field `question` is empty");
        let texts = object.get("texts").context("field `texts` is missing")?;
        let texts = texts.as_array().context("field `texts` must be a list")?;
        let (mut read, mut left_out) = (Vec::new(), Vec::new());
        for (at, text) in texts.iter().enumerate() {
            match Text::read(text, at)? {
                Ok(text) => read.push((at, text)),
                Err(why) => left_out.push((at, why.to_string())),
            }
        }
        Ok(Question { id, text, texts: read, left_out })
    }
}

impl Text {
    /// A text of the line, or why nothing can be read of it. A field that is wrong fails the line.
    fn read(value: &Value, at: usize) -> Result<Result<Text, PageError>> {
        let place = format!("texts[{at}].");
        let object =
            value.as_object().with_context(|| format!("field `texts[{at}]` must be an object"))?;
        let optional = |name: &str| match object.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(_) => text_of(object, &place, name).map(|text| Some(text.to_owned())),
        };
        let url = match optional("url")? {
            Some(url) => url,
            None => format!("https://texts.invalid/{at}"),
        };
        let address = Url::parse(&url).with_context(|| format!("field `{place}url`"))?;
        let headers = Headers { content_type: "text/markdown", ..Headers::default() };
        let wanted = Wanted { passages: true, ..Wanted::default() };
        let (title, date) = (optional("title")?.unwrap_or_default(), optional("date")?);
        let text = text_of(object, &place, "text")?;
        let page = match read(&headers, text.as_bytes(), &address, wanted) {
            Ok(page) => page,
            Err(why) => return Ok(Err(why)),
        };
        let passages = page.passages.into_iter().map(|passage| {
            Passage::new(Anchor::new(passage.anchor), passage.headings, passage.text, &passage.url)
        });
        Ok(Ok(Text { title, url, date, passages: passages.collect() }))
    }
}

fn text_of<'a>(object: &'a Map<String, Value>, place: &str, name: &str) -> Result<&'a str> {
    let value = object.get(name).with_context(|| format!("field `{place}{name}` is missing"))?;
    value.as_str().with_context(|| format!("field `{place}{name}` must be a text"))
}

fn answered(question: &Question, most: usize) -> Map<String, Value> {
    let sources: Vec<EvidenceSource<'_>> = question
        .texts
        .iter()
        .map(|(at, text)| EvidenceSource {
            n: at + 1,
            title: &text.title,
            url: &text.url,
            date: text.date.as_deref(),
            passages: &text.passages,
            ..EvidenceSource::default()
        })
        .collect();
    let asked = Asked {
        query: &question.text,
        length: Length::Medium,
        most_tokens: ANSWER_TOKENS,
        why: Why::Chosen,
    };
    let parts: Vec<(PartRanking<'_>, Vec<Value>)> = ranking(&question.text, &sources)
        .into_iter()
        .map(|part| {
            let sentences = sentences(&part, most);
            (part, sentences)
        })
        .collect();
    let longest = parts.iter().map(|(_, sentences)| sentences.len()).max().unwrap_or_default();
    let ranked: Vec<&Value> = (0..longest)
        .flat_map(|at| parts.iter().filter_map(move |(_, sentences)| sentences.get(at)))
        .collect();
    let of_parts: Vec<Value> = parts
        .iter()
        .map(|(part, sentences)| {
            json!({
                "question": part.question,
                "answered": part.is_answered,
                "verdict": part.verdict,
                "ranked": sentences,
            })
        })
        .collect();
    let left_out: Vec<Value> =
        question.left_out.iter().map(|(at, why)| json!({ "text": at, "why": why })).collect();
    let fields = [
        ("id", json!(question.id)),
        ("answered", json!(parts.iter().all(|(part, _)| part.is_answered))),
        ("ranked", json!(ranked)),
        ("parts", json!(of_parts)),
        ("answer", json!(answer(&asked, &sources, &[]))),
        ("calculations", json!(calculations(&question.text))),
        ("left_out", json!(left_out)),
    ];
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The programs that an ask would run for a question.
fn calculations(question: &str) -> Vec<String> {
    let calls = next_calls(&ResearchView {
        query: question,
        iteration: 1,
        offered: Offered { search: false, knowledge: false, read: false, program: true },
        searched: &[],
        read: &[],
        programs: 0,
        sources: &[],
        calculations: &[],
    });
    let programs = calls.into_iter().filter_map(|call| match call {
        Call::Program { code } => Some(code),
        Call::Search { .. } | Call::Documents { .. } | Call::Read { .. } => None,
    });
    programs.collect()
}

fn sentences(part: &PartRanking<'_>, most: usize) -> Vec<Value> {
    let sentences = part.sentences.iter().take(most).map(|sentence| {
        json!({
            "sentence": sentence.text,
            "title": sentence.source.title,
            "text": sentence.source.n - 1,
            "score": sentence.score,
        })
    });
    sentences.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Question> {
        Question::read(&serde_json::from_str(line)?, 1)
    }

    #[test]
    fn the_sentence_that_answers_comes_first_with_its_text() {
        let line = r##"{"id": "a", "question": "How tall is the tower?", "texts": [
            {"title": "Cheese", "text": "Cheese is made of milk from cows."},
            {"title": "Tower", "text": "# Tower\n\nIt is made of stone.\n\nIt is 38 metres tall."}]}"##;
        let found = Value::Object(answered(&read(line).unwrap(), 1));
        assert_eq!(found["id"], "a");
        let first = json!({ "sentence": "It is 38 metres tall.", "title": "Tower", "text": 1 });
        for (field, value) in first.as_object().unwrap() {
            assert_eq!(found["ranked"][0][field], *value, "{found}");
        }
        assert_eq!(found["parts"][0]["answered"], true);
        assert!(found["answer"].as_str().unwrap().contains("It is 38 metres tall."), "{found}");
    }

    #[test]
    fn a_text_without_words_and_a_calculation_are_told_and_fail_no_line() {
        let line = r#"{"question": "What is 6 * 7, and how tall is the tower?", "texts": [{"text": " "},
            {"title": "Tower", "text": "The tower is 38 metres tall."}]}"#;
        let found = Value::Object(answered(&read(line).unwrap(), 1));
        assert_eq!(found["left_out"][0]["text"], 0, "{found}");
        assert!(found["calculations"][0].as_str().unwrap().contains("6 * 7"), "{found}");
        assert_eq!(found["parts"][1]["ranked"][0]["text"], 1, "{found}");
    }

    #[test]
    fn what_is_wrong_with_a_line_is_told_with_its_field() {
        for (line, told) in [
            ("{}", "field `question` is missing"),
            (r#"{"question": 7}"#, "field `question` must be a text"),
            (r#"{"question": " "}"#, "field `question` is empty"),
            (r#"{"id": [], "question": "a"}"#, "field `id` must be a text or a number"),
            (r#"{"question": "a"}"#, "field `texts` is missing"),
            (r#"{"question": "a", "texts": {}}"#, "field `texts` must be a list"),
            (r#"{"question": "a", "texts": [1]}"#, "field `texts[0]` must be an object"),
            (r#"{"question": "a", "texts": [{}]}"#, "field `texts[0].text` is missing"),
            (
                r#"{"question": "a", "texts": [{"text": "a", "title": 1}]}"#,
                "field `texts[0].title` must be a text",
            ),
            (r#"{"question": "a", "texts": [{"text": "a", "url": "a"}]}"#, "field `texts[0].url`"),
        ] {
            let error = read(line).err().unwrap();
            assert!(error.to_string().contains(told), "{line}: {error:#}");
        }
    }
}
