//! Passages on their way from a page to where answers are made of them.

use crate::driver::{Driver, with_iterations};
use crate::replies::{LAMP, calls, ordinary, text, tools};
use quarry_machines::core::ContextProfile;
use serde_json::json;

/// Passages are in a checkpoint once, by their source, and go on with it. What clients keep and read
/// has the shape that it had.
#[test]
fn passages_are_kept_once_and_survive_a_checkpoint() {
    let model = || {
        ordinary(|call| match call.iteration {
            1 => calls(&[
                ("a", "search_web", r#"{"query":"x","load_content":true,"generate_summary":true}"#),
                ("b", "scrape_web_content", r#"{"url":"https://sker.example/"}"#),
            ])
            .into(),
            _ => text("enough").into(),
        })
    };
    let mut roomy = with_iterations(2);
    roomy.config.profile = ContextProfile::Roomy;
    let mut driver = Driver::new(roomy.clone(), (model(), tools));
    driver.until("tool_iteration");
    let mut revived = driver.revived(roomy, (model(), tools));
    revived.until("final_synthesis");
    let kept = serde_json::to_string(&revived.ask).unwrap();
    assert_eq!(kept.matches("p-1823").count(), 1, "{kept}");
    let section = json!({
        "headings": ["History"],
        "passages": [["p-1823", LAMP, ":~:text=The%20lamp"]],
    });
    assert!(kept.contains(&section.to_string()), "{kept}");
    let state = revived.ask.continuation().write(None).0;
    assert_eq!(state["searchResults"][0]["text"], format!("# History\n\n{LAMP}"));
    let run = revived.finish();
    let prompt = &run.call("final_synthesis").request.messages[1].content;
    assert!(prompt.contains(&format!("[q1] Sker > History\n{LAMP}")), "{prompt}");
    // A citation alone names the passage.
    let elsewhere = |data: &str| data.replace(r#""passage":"p-1823""#, "").contains("p-1823");
    assert!(run.events.iter().all(|event| !elsewhere(&event.data)));
}
