//! The questions of the demo handbook's page, as demo mode answers them: without a language model. What the page says is
//! to be seen is there, for whoever asks the documents and for whoever asks with `sources`.

use quarry_scenarios::client;
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::Script;
use serde_json::{Value, json};
use std::path::Path;

const RULES: &str = "local:extractive";

/// The handbook as demo mode loads it.
async fn handbook() -> Quarry {
    let quarry = Setup::new(Script::ordinary()).start().await.unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo/handbook");
    let mut loaded = 0;
    for folder in folders(&root) {
        for file in folders(&folder) {
            let body = json!({ "collection": "default", "markdown": std::fs::read_to_string(file).unwrap() });
            let line = "POST /knowledge/documents";
            let (status, told) = client::exchanged(&quarry.url, line, &body).await.unwrap();
            assert_eq!(status, 201, "{told}");
            loaded += 1;
        }
    }
    assert_eq!(loaded, 12);
    quarry
}

/// What lies in a folder, but for the page about it.
fn folders(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = entries.filter(|path| !path.ends_with("README.md")).collect();
    paths.sort();
    paths
}

/// The questions of the page, in their order.
fn questions() -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo/handbook/README.md");
    let page = std::fs::read_to_string(page).unwrap();
    let cells = page.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | "));
    cells.map(|(question, _)| question.to_owned()).filter(|asked| asked.ends_with('?')).collect()
}

/// An answer of either kind.
struct Answer {
    question: String,
    /// With its markers.
    content: String,
    whole: Value,
}

impl Answer {
    #[track_caller]
    fn says(&self, words: &str) {
        assert!(
            self.content.contains(words),
            "{}: no {words:?} in {}",
            self.question,
            self.content
        );
    }

    #[track_caller]
    fn does_not_say(&self, words: &str) {
        assert!(!self.content.contains(words), "{}: {words:?} in {}", self.question, self.content);
    }

    /// The titles of the documents that it cites.
    fn cites(&self) -> Vec<&str> {
        let citations = self.whole["citations"].as_array().unwrap().iter();
        let mut titles: Vec<&str> = citations.map(|it| it["title"].as_str().unwrap()).collect();
        titles.sort_unstable();
        titles.dedup();
        titles
    }
}

/// What both kinds of answers have to show.
fn hold(answers: &[Answer]) {
    let [fee, dinghy, closed, row, both, boats, keys, letter, kayak] = answers else {
        panic!("the page has {} questions, and nine are held to it", answers.len())
    };
    fee.says("12 euros");
    let conflict = &fee.whole["conflicts"][0];
    assert_eq!(conflict["reason"], "newer", "{}", fee.whole);
    let quotes = ["one", "other"].map(|side| conflict[side]["quote"].as_str().unwrap());
    assert!(quotes[0].contains("12 euros") && quotes[1].contains("8 euros"), "{conflict}");

    dinghy.says("lent to members who hold the *Sker helm's certificate*");
    for title in ["Safety on the water", "The dinghies"] {
        assert!(dinghy.cites().contains(&title), "no {title}: {}", dinghy.content);
    }

    closed.says("closes the bay from wind force 6 on");
    assert_eq!(closed.cites(), ["Weather and closed days"]);

    row.says("force 4 and 5 | lent inside the bay");

    assert!(both.cites().contains(&"Fees of the boathouse"), "{:?}", both.cites());
    assert!(both.cites().contains(&"Weather and closed days"), "{:?}", both.cites());

    boats.says("nine rowing boats");
    boats.says("Aldous yard");

    keys.says("Jonas Reed keeps the keys");
    assert!(keys.cites().contains(&"The office and who does what"), "{:?}", keys.cites());

    letter.does_not_say("pay.example");
    letter.does_not_say("all late fees were abolished");
    letter.says("Whether they answer the question is for the reader to judge");

    kayak.says("No source says this; none mentions “kayak”.");
    kayak.says("What comes nearest:");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_question_to_the_documents_shows_what_the_page_says() {
    let quarry = handbook().await;
    let mut answers = Vec::new();
    for question in questions() {
        let body = json!({ "query": question, "model": RULES });
        let line = "POST /knowledge/ask";
        let (status, whole) = client::exchanged(&quarry.url, line, &body).await.unwrap();
        assert_eq!(status, 200, "{whole}");
        let content = whole["content"].as_str().unwrap().to_owned();
        answers.push(Answer { question, content, whole });
    }
    // An internal document has no address outside.
    assert_eq!(answers[6].whole["sources"], json!([]));
    hold(&answers);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_question_of_an_ask_with_the_documents_shows_it_too() {
    let quarry = handbook().await;
    let mut answers = Vec::new();
    for question in questions() {
        let body =
            json!({ "query": question, "model": RULES, "sources": "knowledge", "stream": true });
        let open = client::send("POST", &format!("{}/ask", quarry.url), &[], body.to_string())
            .await
            .unwrap();
        let events = open.events().await.unwrap();
        let last = events.iter().find(|event| event.name == "final_answer");
        let whole = last.unwrap_or_else(|| panic!("{question}")).data.clone();
        let content = whole["content"].as_str().unwrap().to_owned();
        answers.push(Answer { question, content, whole });
    }
    hold(&answers);
}
