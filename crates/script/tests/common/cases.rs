//! Runs tables of expressions, each with what Node gives for it.

use quarry_script::Value;

use super::js_within;

/// Each line: an expression, a tab, the JSON of its value, or the name of the error it throws.
pub fn check(cases: &str) {
    let mut source = String::from("const results = [];\n");
    for case in cases.lines() {
        let (expression, _) = case.split_once('\t').unwrap_or((case, ""));
        source += &format!(
            "try {{ results.push({expression}) }} catch (error) {{ results.push(error.name) }}\n"
        );
    }
    source +=
        "results.map((result) => JSON.stringify(result)).forEach((text) => console.log(text))";
    let outcome = js_within(&source, 10);
    assert_eq!((outcome.error, outcome.limit), (None, None));
    assert_eq!(outcome.value, Value::None);
    assert_eq!(outcome.console.len(), cases.lines().count());
    let mut wrong = Vec::new();
    for (case, got) in cases.lines().zip(&outcome.console) {
        if let Some((expression, wanted)) = case.split_once('\t')
            && wanted != got.text
        {
            wrong.push(format!("{expression}\n  wanted {wanted}\n  got    {}", got.text));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
