//! An ask on a terminal of a few columns: no word is broken by it.

use super::*;

const COLUMNS: usize = 40;

/// What an ask shows there, without its colours and progress lines.
fn shown(style: Style) -> String {
    let mut screen = Screen::new(style).within(Some(COLUMNS));
    let named = "The county's accounts add 26 million [1](http://x/a#:~:text=186) for the approach roads.\n\n- And the State paid with a loan for the rest of it.";
    let cited = citation(named, "[1](http://x/a#:~:text=186)", 0, "supported");
    let persona = "An economist who weighs what the sources say of costs";
    let plan = json!({ "persona": persona, "research_questions_needed": 1, "reasoning": "" });
    let mut events = vec![init(json!({})), payload(EventName::Persona, plan)];
    events.extend(streamed(named, std::slice::from_ref(&cited), 3));
    let found = |n: u64| {
        let title = "The bridge and what it cost the county";
        json!({ "n": n, "title": title, "url": "http://county.example/a", "date": null, "description": "" })
    };
    let more = json!({ "citations": [cited], "sources": [found(1), found(2), found(3)] });
    events.extend([answer(named, "stop", more), complete("answered")]);
    show(&mut screen, &events)
}

#[test]
fn lines_are_broken_at_spaces_and_moved_in_as_they_began() {
    let expected = "\
Model    local:extractive (no language
         model)
Plan     An economist who weighs what
         the sources say of costs

Answer

The county's accounts add 26 million [1]
for the approach roads.

- And the State paid with a loan for the
  rest of it.

Sources
  [1] The bridge and what it cost the
      county http://county.example/a
      “It cost 186 million euros.”
      http://x/a#:~:text=186

Also found
  The bridge and what it cost the county
  (county.example),
  The bridge and what it cost the county
  (county.example)

Checked  1 of 1 sentence verified

Time     12.3 s
";
    assert_eq!(shown(Style::Plain), expected);
    let mut coloured = shown(Style::Terminal).replace(ERASE_LINE, "");
    for code in ["0", "1", "2", "36"] {
        coloured = coloured.replace(&format!("\x1b[{code}m"), "");
    }
    assert_eq!(coloured, expected);
}

#[test]
fn what_is_told_beside_an_answer_has_a_line_of_its_own() {
    let mut screen = Screen::new(Style::Terminal).within(Some(COLUMNS));
    show(&mut screen, &streamed("It cost 186 mill", &[], 400));
    assert_eq!([screen.cleared(), screen.cleared()], [" mill\n", ""]);
    assert_eq!(screen.event(&delta(16, "ion euros. ")), "ion euros.");
}
