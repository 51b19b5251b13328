//! The places that an answer rests on, below their sources.

use super::*;

const CONTENT: &str = "“It cost 186 million euros.” [1](http://x/a#:~:text=186)";

/// What stands behind an answer whose sentences cite these quotations of these addresses.
fn behind(cited: &[(&str, &str)]) -> String {
    let citation = |(quote, url): &(&str, &str)| {
        let mut cited = citation(CONTENT, "[1](http://x/a#:~:text=186)", 0, "supported");
        (cited["quote"], cited["url"]) = ((*quote).into(), (*url).into());
        cited
    };
    let citations: Vec<Value> = cited.iter().map(citation).collect();
    let mut screen = Screen::new(Style::Plain);
    screen.event(&answer(CONTENT, "stop", json!({ "citations": citations })));
    screen.event(&complete("answered"))
}

#[test]
fn places_are_few_and_what_the_answer_quotes_is_not_said_again() {
    let (bridge, tolls) = ("http://x/a#:~:text=186", "http://x/a#:~:text=tolls");
    let shown = behind(&[
        ("It cost 186 million euros.", bridge),
        ("It is\nlong.", bridge),
        ("It is free.", tolls),
        ("It is old.", tolls),
        ("It is old.", tolls),
    ]);
    let expected = "
  [1] Orrin Bridge http://x/a
      “It is long.”
      http://x/a#:~:text=186
      “It is free.”
      http://x/a#:~:text=tolls
      and 1 more
";
    assert!(shown.contains(expected), "{shown}");
}

#[test]
fn a_place_that_several_sentences_cite_is_told_once() {
    let url = "http://x/a#:~:text=186";
    // The answer has both sentences itself: nothing but the place is left to say.
    let shown = behind(&[("It cost 186 million euros.", url), ("186 million euros", url)]);
    assert!(shown.contains(&format!("  [1] Orrin Bridge http://x/a\n      {url}\n\n")), "{shown}");
    let shown = behind(&[("It is long.", url), ("It is old.", url)]);
    let expected = format!("\n      “It is long.”\n      “It is old.”\n      {url}\n\n");
    assert!(shown.contains(&expected), "{shown}");
    // And where its page is the place, there is nothing to say at all.
    let shown =
        behind(&[("186 million", "http://x/a"), ("186", "http://x/a"), ("It", "http://x/a")]);
    assert!(shown.contains("  [1] Orrin Bridge http://x/a\n\nChecked"), "{shown}");
}
