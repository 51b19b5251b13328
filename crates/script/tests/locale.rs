//! Texts of numbers and dates, against those of Node 20 with all its locales.

mod common;

use common::js_within;
use quarry_script::Value;

/// An expression, a tab, and the JSON of what it gives there; the name of an error it throws.
const CASES: &str = include_str!("locale_cases.txt");

#[test]
fn texts_equal_those_of_node() {
    let mut source = String::from("const results = [];\n");
    for case in CASES.lines() {
        let (expression, _) = case.split_once('\t').expect("a tab");
        source += &format!(
            "try {{ results.push({expression}) }} catch (error) {{ results.push(error.name) }}\n"
        );
    }
    source += "results.map((result) => JSON.stringify(result)).join('\\n')";
    let outcome = js_within(&source, 10);
    assert_eq!((outcome.error, outcome.limit), (None, None));
    let Value::Json(text) = outcome.value else { panic!("not a text") };
    let mut wrong = Vec::new();
    // A JSON text of lines that are JSON themselves: undo the outer one.
    let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).expect("a text");
    let text = text.replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\");
    assert_eq!(text.lines().count(), CASES.lines().count());
    for (case, got) in CASES.lines().zip(text.lines()) {
        if let Some((expression, wanted)) = case.split_once('\t')
            && wanted != got
        {
            wrong.push(format!("{expression}\n  wanted {wanted}\n  got    {got}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
