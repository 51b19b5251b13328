//! Threads: what is a post's own.

use super::text;

fn says(n: usize) -> String {
    format!(
        "Answer {n} says at some length that bridge number {n} sways when the wind blows from the side."
    )
}

fn post(n: usize, body: &str) -> String {
    format!(
        "<div class='blockpost odd'><p><a href=/u{n}>ada{n}</a></p><p>Gold member</p><p>Topics opened: {n}</p><p>{n}/3/2024, 10:1{n}</p><p>{body}</p></div>"
    )
}

fn thread(between: &str, after: &str) -> String {
    let posts: String = (1..=5).map(|n| post(n, &says(n)) + between).collect();
    text(&format!("<body><h1>Why do bridges sway?</h1><div id=all><div>{posts}</div>{after}</div>"))
        .0
}

#[test]
fn a_short_thread_on_a_page_with_long_menus_is_found() {
    let menu = "<li><a href=/x>A section of the forum with a long name</a>".repeat(60);
    let posts: String = (1..=3).map(|n| post(n, &says(n))).collect();
    let html = format!("<body><nav><ul>{menu}</ul></nav><h1>Why?</h1><div>{posts}</div>");
    let (text, _) = text(&html);
    assert!(text.contains("Answer 3 says") && !text.contains("Gold member"), "{text}");
}

#[test]
fn what_every_post_repeats_is_no_text_but_names_and_dates_stay() {
    let text = thread("", "");
    assert!(!text.contains("Gold member") && !text.contains("Topics opened"), "{text}");
    for kept in ["ada1", "ada5", "1/3/2024, 10:11", "5/3/2024, 10:15", "Answer 4 says"] {
        assert!(text.contains(kept), "{kept} in {text}");
    }
}

#[test]
fn what_stands_between_and_after_posts_is_left_out() {
    let notice = "<div class=notice>Members do not see this.</div>";
    let more = "<div><h3>Other threads</h3><p>Which glue holds under water?</p></div>";
    let text = thread(notice, more);
    assert!(!text.contains("Members do not see"), "{text}");
    assert!(!text.contains("Which glue"), "{text}");
    assert_eq!(text.matches("says at some length").count(), 5, "{text}");
}

#[test]
fn a_quotation_of_a_post_above_is_not_read_again() {
    let quote = |of: &str| format!("<blockquote><cite>ada1 said:</cite> {of}</blockquote>");
    let answer = format!("{}I have seen it, too.", quote(&says(1)));
    let elsewhere =
        quote("On another page someone wrote that ropes are safer than chains in a storm.");
    let posts = post(1, &says(1)) + &post(2, &answer) + &post(3, &says(3)) + &post(4, &elsewhere);
    let (text, _) = text(&format!("<body><h1>Why?</h1><div>{posts}</div>"));
    assert_eq!(text.matches("Answer 1 says").count(), 1, "{text}");
    assert!(text.contains("I have seen it, too."), "{text}");
    assert!(text.contains("ropes are safer than chains"), "{text}");
}
