//! The places that an answer rests on, below their sources.

use super::*;

#[test]
fn places_are_few_and_what_the_answer_quotes_is_not_said_again() {
    let content = "“It cost 186 million euros.” [1](http://x/a#:~:text=186)";
    let cited = |quote: String| {
        let mut cited = citation(content, "[1](http://x/a#:~:text=186)", 0, "supported");
        cited["quote"] = quote.into();
        cited
    };
    let quotes = ["It cost 186 million euros.", "It is\nlong.", "It is old.", "It is old."];
    let citations: Vec<Value> = quotes.into_iter().map(|it| cited(it.to_owned())).collect();
    let mut screen = Screen::new(Style::Plain);
    screen.event(&answer(content, "stop", json!({ "citations": citations })));
    let expected = "
  [1] Orrin Bridge http://x/a
      http://x/a#:~:text=186
      “It is long.”
      http://x/a#:~:text=186
      and 1 more
";
    let shown = screen.event(&complete("answered"));
    assert!(shown.contains(expected), "{shown}");
}
