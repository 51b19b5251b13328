//! What a page has twice.

use super::text;

const PLAN: &str = "<div><h3>The family plan</h3><p>It covers five people under one roof, with all their devices, wherever they are.</p></div>";

fn page(parts: &str) -> String {
    let prose = super::paragraphs(4);
    format!("<body><main><h1>Plans</h1>{prose}{parts}<p>A last word.</p></main>")
}

#[test]
fn a_part_for_narrow_screens_is_not_read_again() {
    let (text, _) =
        text(&page(&format!("<div class=wide>{PLAN}</div><div class=narrow>{PLAN}</div>")));
    assert_eq!(text.matches("The family plan").count(), 1, "{text}");
    assert_eq!(text.matches("covers five people").count(), 1, "{text}");
    assert!(text.contains("A last word."), "{text}");
}

#[test]
fn parts_that_differ_by_a_word_are_two() {
    let other = PLAN.replace("five", "six");
    let (text, _) = text(&page(&format!("<div>{PLAN}</div><div>{other}</div>")));
    assert_eq!(text.matches("The family plan").count(), 2, "{text}");
}

#[test]
fn entries_of_a_list_may_say_the_same() {
    let entry = |n: u32| format!("<li><b>Plan {n}</b>{PLAN}</li>");
    let entries: String = (1..=3).map(entry).collect();
    let (text, _) = text(&page(&format!("<ul>{entries}</ul>")));
    assert_eq!(text.matches("The family plan").count(), 3, "{text}");
}

#[test]
fn short_parts_that_look_alike_are_all_kept() {
    let card = |n: u32| {
        format!("<section><h3>Lamp {n}</h3><div><p>In stock</p><p>Ships free</p></div></section>")
    };
    let cards: String = (1..=6).map(card).collect();
    let (text, _) = text(&format!("<body><main><h1>Lamps</h1>{cards}</main>"));
    assert_eq!(text.matches("In stock").count(), 6, "{text}");
}
