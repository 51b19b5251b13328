//! Folders and files of questions, as people make them.

use super::*;
use std::path::Path;

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    folder
}

fn read(files: &[(&str, &str)], questions: &str) -> Result<Loaded> {
    let (documents, asked) = (folder(files), tempfile::NamedTempFile::new()?);
    fs::write(asked.path(), questions)?;
    Loaded::read(documents.path(), Some(asked.path()))
}

const FILES: [(&str, &str); 5] = [
    ("fees.md", "---\nid: fee-list\ntitle: Fees\n---\n# Late\n\nThe late fee is ten crowns.\n"),
    ("more/light.txt", "The keeper lights the lamp at dusk."),
    ("more/ships.csv", "name,port\nAurora,Sker\n"),
    ("page.html", "<title>Bread</title><p>Bread is baked from rye flour and water."),
    ("picture.png", "no text"),
];

#[test]
fn documents_are_called_by_their_id_or_their_file_and_answer_their_questions() {
    let loaded = read(
        &FILES,
        "{\"question\": \"What is the late fee?\", \"relevant\": {\"fee-list\": 2, \"light\": 0}}\n\n\
         {\"id\": \"b\", \"question\": \"Which port has the Aurora?\", \"relevant\": [\"ships\"]}\n\
         {\"question\": \"nothing\", \"relevant\": []}\n",
    )
    .unwrap();
    let names: Vec<&str> = loaded.documents.iter().map(|doc| doc.name.as_str()).collect();
    assert_eq!(names, ["fee-list", "light", "ships", "page"]);
    assert_eq!(loaded.documents[3].document.title(), "Bread");
    assert_eq!(
        loaded.issues,
        ["picture.png is not read; Markdown, text, CSV, JSON, HTML, PDF and DOCX are"]
    );
    assert_eq!(loaded.questions.len(), 2);
    let collection = Collection::build(loaded.indexed());
    let told = judge(&collection, &loaded);
    assert_eq!(mean(&told), Measures { hits: [1.0; 3], mrr: 1.0, ndcg: 1.0 });
    let out = tempfile::NamedTempFile::new().unwrap();
    write(&out.path().to_owned(), &loaded.questions, &told).unwrap();
    let lines = fs::read_to_string(out.path()).unwrap();
    assert!(
        lines.starts_with("{\"id\":1,\"found\":[{\"doc\":\"fee-list\",\"score\":1.0}"),
        "{lines}"
    );
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let error = |questions: &str| format!("{:#}", read(&FILES, questions).err().unwrap());
    let unknown = error("{\"question\": \"a\", \"relevant\": [\"fees\"]}");
    assert!(unknown.starts_with("line 1 of ") && unknown.contains("no document is called so"));
    assert!(error("\n{\"question\": \"a\", \"relevant\": 3}").contains("line 2 of "));
    assert!(error("{\"question\": \"a\", \"relevant\": 3}").contains("field `relevant` must be"));
    assert!(error("{\"relevant\": []}").contains("question"));
    assert!(error("").contains("no question"));
    let twice = read(&[("a.md", "x"), ("b/a.txt", "y")], "").err().unwrap().to_string();
    assert!(twice.contains("are both called \"a\""), "{twice}");
    assert!(
        Loaded::read(Path::new("/nowhere"), None).err().unwrap().to_string().contains("questions")
    );
}

#[test]
fn cranfields_form_brings_its_own_questions() {
    let folder = folder(&[
        (
            "documents.json",
            r#"[{"id": 1, "title": "Wings", "author": "x", "body": "lift of a wing"}, {"id": 2, "title": "", "body": ""}]"#,
        ),
        ("queries.json", r#"[{"id": 7, "text": "wing"}, {"id": 8, "text": "none"}]"#),
        (
            "qrels.json",
            r#"[{"queryId": 7, "docId": 1, "relevance": 3}, {"queryId": 8, "docId": 1, "relevance": 0}]"#,
        ),
    ]);
    let loaded = Loaded::read(folder.path(), None).unwrap();
    assert_eq!((loaded.documents.len(), loaded.questions.len()), (1, 1));
    assert_eq!(loaded.issues, ["2.txt has no text"]);
    assert_eq!(loaded.documents[0].document.title(), "Wings");
}
