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
    let issue = "picture.png is of a format that is not read; Markdown, text, HTML, PDF, DOCX, CSV and JSON are";
    assert!(loaded.issues.len() == 1 && loaded.issues[0].starts_with(issue), "{:?}", loaded.issues);
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

/// A PDF file with a page for each text.
fn pdf(texts: &[&str]) -> String {
    let kids: String = (0..texts.len()).map(|at| format!("{} 0 R ", 4 + 2 * at)).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Kids [{kids}] /Count {} >>", texts.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
            .to_owned(),
    ];
    for (at, text) in texts.iter().enumerate() {
        let content = format!("BT /F1 12 Tf 72 720 Td ({text}) Tj ET");
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {} 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
            5 + 2 * at
        ));
        objects.push(format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()));
    }
    let mut file = "%PDF-1.7\n".to_owned();
    let mut places = String::new();
    for (number, object) in (1..).zip(&objects) {
        places += &format!("{:010} 00000 n \n", file.len());
        file += &format!("{number} 0 obj\n{object}\nendobj\n");
    }
    let (table, size) = (file.len(), objects.len() + 1);
    file += &format!("xref\n0 {size}\n0000000000 65535 f \n{places}");
    file + &format!("trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF")
}

#[test]
fn a_pdf_file_is_cut_as_the_server_cuts_it() {
    let page = |about: &str| format!("{about} {}", "The tables of the harbour follow. ".repeat(27));
    let file = pdf(&[&page("Tides."), &page("Currents.")]);
    let questions = "{\"question\": \"Which tables follow?\", \"relevant\": [\"almanac\"]}";
    let loaded = read(&[("almanac.pdf", &file)], questions).unwrap();
    let chunks = &loaded.documents[0].chunks;
    let pages: Vec<Option<u32>> = chunks.iter().map(|chunk| chunk.page).collect();
    assert_eq!(pages, [Some(1), Some(2)], "{:?}", loaded.documents[0].document.text);
}

#[test]
fn a_file_is_read_as_far_as_the_server_reads_it_and_what_is_missing_is_told() {
    let texts: Vec<String> = (1..=301).map(|at| format!("Tide {at} turns at noon.")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let questions = "{\"question\": \"Which tide turns?\", \"relevant\": [\"almanac\"]}";
    let loaded = read(&[("almanac.pdf", &pdf(&texts))], questions).unwrap();
    assert!(loaded.documents[0].document.text.contains("Tide 301 turns"), "of the last page");
    assert_eq!(loaded.notes, [] as [&str; 0]);
    // What nobody reads of a file is said, as the server says it.
    let file = format!("---\ncategory: {}\n---\nBread is baked from rye.\n", "x".repeat(2_000));
    let questions = "{\"question\": \"What is baked?\", \"relevant\": [\"bread\"]}";
    let loaded = read(&[("bread.md", &file)], questions).unwrap();
    assert!(loaded.notes.len() == 1 && loaded.notes[0].contains("category"), "{:?}", loaded.notes);
}

#[test]
fn documents_of_the_same_file_name_are_called_by_their_paths() {
    let files = [
        ("README.md", "The harbour lies in the lee."),
        ("boats/README.md", "Oakum is driven into the seams."),
        ("boats/rope.md", "---\nid: hawsers\n---\nThe hawser is spliced."),
        ("boats/rope.txt", "The bitter end is seized."),
        ("hawsers.md", "A list of what is sold."),
        ("empty.md", ""),
    ];
    let loaded = read(
        &files,
        "{\"question\": \"What seams?\", \"relevant\": [\"boats/README\"]}\n\
         {\"question\": \"What is spliced?\", \"relevant\": [\"hawsers\", \"boats/rope.md\"]}\n\
         {\"question\": \"What is nowhere?\", \"relevant\": [\"empty.md\"]}",
    )
    .unwrap();
    let mut names: Vec<&str> = loaded.documents.iter().map(|doc| doc.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["README.md", "boats/README", "hawsers", "hawsers.md", "rope.txt"]);
    let relevant = loaded.questions.iter().map(|asked| asked.relevant.keys().collect::<Vec<_>>());
    let relevant: Vec<Vec<&String>> = relevant.collect();
    assert_eq!(relevant, [vec!["boats/README"], vec!["hawsers"], vec!["empty.md"]]);
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_is_named_and_costs_no_measurement() {
    use std::os::unix::fs::symlink;
    let documents = folder(&[("fees.md", "The late fee is ten crowns.")]);
    symlink(documents.path(), documents.path().join("round")).unwrap();
    symlink(documents.path().join("nowhere"), documents.path().join("tides.md")).unwrap();
    let asked = tempfile::NamedTempFile::new().unwrap();
    let questions = "{\"question\": \"What is the late fee?\", \"relevant\": [\"fees\"]}\n\
                     {\"question\": \"When is the tide?\", \"relevant\": [\"tides\"]}\n\
                     {\"question\": \"Who keeps the light?\", \"relevant\": [\"light\"]}\n";
    fs::write(asked.path(), questions).unwrap();
    let loaded = Loaded::read(documents.path(), Some(asked.path())).unwrap();
    let mut issues = loaded.issues.clone();
    issues.sort_unstable();
    assert_eq!(issues.len(), 2, "{issues:?}");
    assert_eq!(issues[0], "round is a link to a folder");
    assert!(issues[1].starts_with("tides.md cannot be read: "), "{issues:?}");
    // `light` may lie in the folder, so it is no slip of whoever asks. What is not there is not found, and counts.
    let told = judge(&Collection::build(loaded.indexed()), &loaded);
    let found: Vec<f64> = told.iter().map(|told| told.measures.mrr).collect();
    assert_eq!(found, [1.0, 0.0, 0.0]);

    fs::remove_file(documents.path().join("fees.md")).unwrap();
    let error = Loaded::read(documents.path(), Some(asked.path())).err().unwrap().to_string();
    assert!(error.contains(" has no documents\n  left out: "), "{error}");
    assert!(error.contains("\n  left out: round is a link to a folder"), "{error}");
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let error = |questions: &str| format!("{:#}", read(&FILES, questions).err().unwrap());
    let unknown = error("{\"question\": \"a\", \"relevant\": [\"fee\"]}");
    assert!(unknown.starts_with("line 1 of ") && unknown.contains("no document is called so"));
    assert!(error("\n{\"question\": \"a\", \"relevant\": 3}").contains("line 2 of "));
    assert!(error("{\"question\": \"a\", \"relevant\": 3}").contains("field `relevant` must be"));
    assert!(error("{\"relevant\": []}").contains("question"));
    assert!(error("").contains("no question"));
    let one = "---\nid: one\n---\nx";
    let twice = read(&[("a.md", one), ("b/a.md", one)], "").err().unwrap().to_string();
    assert!(twice.contains("both have the `id` \"one\""), "{twice}");
    let several = "{\"question\": \"a\", \"relevant\": [\"a\"]}";
    let several = read(&[("a.md", "x"), ("b/a.txt", "y")], several).err().unwrap().to_string();
    assert!(several.contains("several documents are called so"), "{several}");
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
