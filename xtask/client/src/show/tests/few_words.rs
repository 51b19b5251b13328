//! Payloads and times in a few words.

use super::*;

#[test]
fn what_a_search_of_documents_found_is_counted() {
    let found = json!({ "passages": [{}, {}] });
    let result = result("c1", "search_knowledge", "Searching the documents: fee", 40, found);
    let shown = Screen::new(Style::Plain).event(&result);
    assert_eq!(shown, "  ✓ Searching the documents: fee  2 passages, 0.0 s\n");
}

#[test]
fn durations_read_well() {
    assert_eq!(duration(1.2), "2 s");
    assert_eq!(duration(432.5), "7 min 13 s");
    assert_eq!(duration(7260.0), "2 h 1 min");
    assert_eq!([300.0, 3600.0].map(duration), ["5 min", "1 h"]);
}
