//! What a page hides, and what its names hide from a reader of names.

use super::{paragraphs, text};

fn page(part: &str) -> String {
    text(&format!("<body><main><h1>Shoes</h1>{}{part}</main>", paragraphs(6))).0
}

fn review() -> String {
    "<p>The sole of this shoe is made of a foam that gives way slowly, and it lasts for a year.</p>"
        .repeat(5)
        .replacen("sole", "tongue", 2)
}

#[test]
fn hidden_prose_is_what_a_click_unfolds() {
    let text = page(&format!("<div class=x1 style='display:none'>{}</div>", review()));
    assert!(text.contains("made of a foam"), "{text}");
}

#[test]
fn hidden_parts_that_are_no_text_stay_hidden() {
    let options = "<p>Size</p><p>Colour</p><p>Add to the bag</p>".repeat(8);
    let parts = [
        "<div hidden>You signed in in another window, so this page must be loaded again.</div>"
            .to_owned(),
        format!("<div style='display:none'>{options}</div>"),
        format!("<div style='display:none' class=paywall-full>{}</div>", review()),
        format!("<div style='display:none' class=cookie-notice>{}</div>", review()),
        format!("<div style='display:none' role=dialog>{}</div>", review()),
        format!("<div style='display:none'>{}</div>", crate::html::escape(&review())),
    ];
    for part in parts {
        let text = page(&part);
        for gone in ["another window", "Add to the bag", "made of a foam"] {
            assert!(!text.contains(gone), "{gone} of {part} in {text}");
        }
    }
}

#[test]
fn hidden_parts_within_hidden_parts_are_judged_once() {
    let deep = "<div hidden>".repeat(150) + &review();
    let text = page(&deep);
    assert!(text.contains("made of a foam"), "{text}");
}

#[test]
fn the_name_of_a_heading_says_how_it_looks() {
    let card = |n: u32| {
        format!(
            "<li><h2 class='card-title ad-title-{n}'>Wallet {n} made of leather by hand</h2><p>USD {n}</p></li>"
        )
    };
    let cards: String = (1..=9).map(card).collect();
    let (text, _) = text(&format!("<body><main><h1>Wallets</h1><ul>{cards}</ul></main>"));
    assert!(text.contains("Wallet 9 made of leather"), "{text}");
}

#[test]
fn a_style_that_skips_ink_is_no_link_that_skips_a_menu() {
    let kept = "<p><span class='decoration-skip-ink-none'>Underlined</span> words.</p>";
    let text = page(&format!("<div class=skip-to-text>Skip the menu</div>{kept}"));
    assert!(text.contains("Underlined words.") && !text.contains("Skip the menu"), "{text}");
}
