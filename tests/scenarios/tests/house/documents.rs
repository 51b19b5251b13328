//! Files as people have them, whole and broken: what is read of them, and what is said of those that cannot be.

use bytes::Bytes;
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use http_body_util::{BodyExt as _, Full};
use quarry_scenarios::client;
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::Script;
use rawzip::{CompressionMethod, ZipArchiveWriter};
use serde_json::{Value, json};
use std::io::Write as _;

const FORM: (&str, &str) = ("content-type", "multipart/form-data; boundary=3f9a");
const MAX: usize = 20 * 1024 * 1024;

async fn start() -> Quarry {
    Setup::new(Script::ordinary()).start().await.unwrap()
}

async fn load(quarry: &Quarry, files: &[(&str, Vec<u8>)]) -> Value {
    let mut form = Vec::new();
    for (name, bytes) in files {
        let head = format!(
            "--3f9a\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n"
        );
        form.extend([head.as_bytes(), bytes, b"\r\n"].concat());
    }
    form.extend_from_slice(b"--3f9a--\r\n");
    let url = format!("{}/knowledge/documents", quarry.url);
    let body = Full::new(Bytes::from(form)).boxed_unsync();
    let open = client::send_body("POST", &url, &[FORM], body).await.unwrap();
    assert_eq!(open.status, 200);
    open.json().await.unwrap()
}

async fn json(quarry: &Quarry, line: &str, body: &Value) -> (u16, Value) {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let open = client::by_line(&quarry.url, line, &[], body).await.unwrap();
    (open.status.as_u16(), open.json().await.unwrap())
}

/// A PDF file of these objects, numbered from 1; the first is the catalogue.
fn pdf(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut out = b"%PDF-1.7\n".to_vec();
    let mut places = Vec::new();
    for (at, object) in objects.iter().enumerate() {
        places.push(out.len());
        out.extend([format!("{} 0 obj\n", at + 1).as_bytes(), object, b"\nendobj\n"].concat());
    }
    let (table, size) = (out.len(), objects.len() + 1);
    out.extend(format!("xref\n0 {size}\n0000000000 65535 f \n").bytes());
    places.iter().for_each(|place| out.extend(format!("{place:010} 00000 n \n").bytes()));
    out.extend(
        format!("trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF").bytes(),
    );
    out
}

fn stream(extra: &str, content: &[u8]) -> Vec<u8> {
    let head = format!("<< /Length {} {extra} >>\nstream\n", content.len());
    [head.as_bytes(), content, b"\nendstream"].concat()
}

/// A PDF file with a page for each text.
fn pages(texts: &[String]) -> Vec<u8> {
    let kids: String = (0..texts.len()).map(|at| format!("{} 0 R ", 4 + 2 * at)).collect();
    let mut objects = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        format!("<< /Type /Pages /Kids [{kids}] /Count {} >>", texts.len()).into_bytes(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
            .to_vec(),
    ];
    for (at, text) in texts.iter().enumerate() {
        let page = format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {} 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
            5 + 2 * at
        );
        let content = format!("BT /F1 12 Tf 72 720 Td ({text}) Tj ET");
        objects.extend([page.into_bytes(), stream("", content.as_bytes())]);
    }
    pdf(&objects)
}

/// A Word document of these parts.
fn docx(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = ZipArchiveWriter::new(&mut bytes);
    for (name, content) in parts {
        let (mut entry, config) =
            archive.new_file(*name).compression_method(CompressionMethod::DEFLATE).start().unwrap();
        let mut writer = config.wrap(DeflateEncoder::new(&mut entry, Compression::fast()));
        writer.write_all(content).unwrap();
        let (encoder, descriptor) = writer.finish().unwrap();
        encoder.finish().unwrap();
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap();
    bytes
}

fn word(body: &str) -> Vec<u8> {
    let xml = format!("<w:document xmlns:w=\"w\"><w:body>{body}</w:body></w:document>");
    docx(&[("word/document.xml", xml.as_bytes())])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_citation_of_a_pdf_file_opens_the_page() {
    let quarry = start().await;
    let page = |about: &str| format!("{about} {}", "The tables of the harbour follow. ".repeat(27));
    let file = pages(&[
        page("Demurrage is due after ten days of free time."),
        page("Pilotage is due two miles off the mole."),
        page("Towage is due for every tug that makes fast."),
    ]);
    let loaded = load(&quarry, &[("rates/tariff.pdf", file)]).await;
    assert_eq!(loaded["documents"][0]["document"]["format"], "pdf", "{loaded}");
    for (page, question) in [(1, "demurrage"), (2, "pilotage"), (3, "towage of a tug")] {
        let search = json!({ "query": question, "top_k": 1 });
        let (_, found) = json(&quarry, "POST /knowledge/search", &search).await;
        let best = &found["chunks"][0];
        assert_eq!(best["page"], page, "{question}: {found}");
        let address = best["address"].as_str().unwrap();
        let (_, opened) = json(&quarry, &format!("GET {address}"), &Value::Null).await;
        assert_eq!(opened["chunks"][0]["page"], page, "{opened}");
        let ask = json!({ "query": question, "model": "local:extractive" });
        let (_, answer) = json(&quarry, "POST /knowledge/ask", &ask).await;
        let cited = answer["citations"].as_array().unwrap();
        assert!(cited.iter().any(|one| one["page"] == page), "{question}: {answer}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_word_document_is_read_with_its_headings() {
    let quarry = start().await;
    let body = "<w:p><w:pPr><w:pStyle w:val=\"Heading1\"/></w:pPr><w:r><w:t>Berths</w:t></w:r></w:p>\
        <w:p><w:r><w:t>The north quay takes vessels of nine metres draught.</w:t></w:r></w:p>";
    let loaded = load(&quarry, &[("quays.docx", word(body))]).await;
    assert_eq!(loaded["documents"][0]["document"]["format"], "docx", "{loaded}");
    let search = json!({ "query": "draught at the north quay" });
    let (_, found) = json(&quarry, "POST /knowledge/search", &search).await;
    assert_eq!(found["chunks"][0]["headings"], json!(["Berths"]), "{found}");
}

/// What is broken, hostile or empty stops nothing beside it, and each is told with its name, its cause and what to do.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_broken_file_is_named_and_the_others_go_in() {
    let quarry = start().await;
    let bomb = |bytes: usize| {
        let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
        packer.write_all(&vec![b' '; bytes]).unwrap();
        stream("/Filter /FlateDecode", &packer.finish().unwrap())
    };
    let catalogue = b"<< /Type /Catalog /Pages 2 0 R >>".to_vec();
    let whole = word("<w:p><w:r><w:t>words</w:t></w:r></w:p>");
    let zip = docx(&[("notes.md", b"# A")]);
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(&vec![b' '; 40 << 20]).unwrap();
    let gzip = gzip.finish().unwrap();
    let files = [
        ("first.md", b"# First\n\nThis one is whole.".to_vec(), ""),
        ("broken.pdf", b"%PDF-1.7 and then nothing".to_vec(), "broken.pdf: the PDF is damaged"),
        ("bomb.pdf", pdf(&[catalogue, bomb(40 << 20)]), "bomb.pdf: the PDF unpacks to more"),
        (
            "tangled.pdf",
            [b"%PDF-1.7\n", b"1 0 obj ( ".repeat(200_000).as_slice()].concat(),
            "tangled.pdf: the PDF is built in a way that takes too long to read",
        ),
        ("scan.pdf", pages(&[String::new()]), "scan.pdf: the PDF holds no text"),
        ("cut.docx", whole[..whole.len() - 9].to_vec(), "cut.docx: the Word document is damaged"),
        ("other.docx", zip.clone(), "other.docx: the file is an archive without a Word document"),
        (
            "bomb.docx",
            docx(&[("word/document.xml", &vec![b' '; 40 << 20])]),
            "bomb.docx: the Word document unpacks to more",
        ),
        (
            "old.docx",
            b"\xd0\xcf\x11\xe0\xa1\xb1".to_vec(),
            "old.docx: the Word document is protected",
        ),
        ("notes.zip", zip, "notes.zip is of a format that is not read"),
        ("notes.md.gz", gzip, "notes.md.gz is of a format that is not read"),
        ("picture.md", (0..=255).cycle().take(4_000).collect(), "picture.md is not text"),
        ("empty.txt", b"\xef\xbb\xbf \r\n".to_vec(), "empty.txt has no text"),
        ("nothing.html", b"<script>1</script>".to_vec(), "nothing.html: the page has no text"),
        ("bad.json", b"{\"a\": ".to_vec(), "bad.json is not JSON"),
        ("../../etc/passwd", b"root".to_vec(), "`../../etc/passwd` is no path below a folder"),
        ("C:/a.md", b"# A".to_vec(), "`C:/a.md` is no path below a folder"),
        ("last.md", b"# Last\n\nThis one is whole, too.".to_vec(), ""),
    ];
    let sent: Vec<(&str, Vec<u8>)> =
        files.iter().map(|(name, bytes, _)| (*name, bytes.clone())).collect();
    let loaded = load(&quarry, &sent).await;
    let outcomes = loaded["documents"].as_array().unwrap();
    assert_eq!(outcomes.len(), files.len());
    for (outcome, (name, _, says)) in outcomes.iter().zip(&files) {
        let error = outcome["error"].as_str().unwrap_or_default();
        assert_eq!(outcome["name"], *name);
        assert_eq!(outcome["change"] == "added", says.is_empty(), "{outcome}");
        assert!(error.contains(says), "{name}: {error}");
    }
    assert_eq!(loaded["loaded"], 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_in_other_character_sets_are_read() {
    let quarry = start().await;
    let utf16: Vec<u8> =
        "\u{feff}Müßiggang am Kai".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let latin = b"The caf\xe9 on the quay opens at six, and the cr\xeape stall at nine.".to_vec();
    let loaded = load(&quarry, &[("a.txt", utf16), ("b.txt", latin)]).await;
    assert_eq!(loaded["loaded"], 2, "{loaded}");
    for (word, document) in [("Müßiggang", "a"), ("café", "b"), ("crêpe", "b")] {
        let search = json!({ "query": word });
        let (_, found) = json(&quarry, "POST /knowledge/search", &search).await;
        assert_eq!(found["chunks"][0]["title"], document, "{word}: {found}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_million_headings_are_one_document() {
    let quarry = start().await;
    let text = "# a\n".repeat(1_000_000) + "\nThe last word is lighthouse.";
    let loaded = load(&quarry, &[("headings.md", text.into_bytes())]).await;
    let chunks = loaded["documents"][0]["document"]["chunks"].as_u64().unwrap();
    assert!((1..20_000).contains(&chunks), "{chunks}");
    let search = json!({ "query": "lighthouse", "top_k": 1 });
    let (_, found) = json(&quarry, "POST /knowledge/search", &search).await;
    assert!(found["chunks"][0]["text"].as_str().unwrap().ends_with("lighthouse."), "{found}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_bounds_of_a_document_and_of_a_question_are_told() {
    let quarry = start().await;
    for name in ["large.md", "large.pdf", "large.docx"] {
        let files = [(name, vec![b'x'; MAX + 1]), ("small.md", b"# Small".to_vec())];
        let loaded = load(&quarry, &files).await;
        assert_eq!(loaded["loaded"], 1, "{loaded}");
        let error = loaded["documents"][0]["error"].as_str().unwrap();
        let says = format!("{name} has 20971521 bytes, 20971520 are the most; part it");
        assert!(error.starts_with(&says), "{error}");
    }
    let question = |length: usize| json!({ "query": "quay ".repeat(length)[..length].to_owned() });
    for door in ["search", "ask"] {
        let mut asked = question(32 * 1024);
        if door == "ask" {
            asked["model"] = json!("local:extractive");
        }
        let (status, found) = json(&quarry, &format!("POST /knowledge/{door}"), &asked).await;
        assert_eq!(status, 200, "{found}");
    }
    for door in ["search", "ask"] {
        let line = format!("POST /knowledge/{door}");
        let (status, refused) = json(&quarry, &line, &question(32 * 1024 + 1)).await;
        let why = refused["error"]["message"].as_str().unwrap();
        assert_eq!(status, 400, "{refused}");
        assert!(why.starts_with("`query`") && why.contains("32768"), "{door}: {why}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pdf_file_as_large_as_one_may_be_is_loaded_to_its_end() {
    let quarry = start().await;
    // As word processors write: a line at a time, each at its place and with its spacing.
    let line = "Every word of this line stands somewhere on a page that is full of such lines.";
    let line = format!("{line}) Tj {} 0 -14 Td (", "0.0001 Tc 1 0 0 rg 0.001 Tw ".repeat(6));
    let page = |at: usize| format!("Page {at} begins here.) Tj 0 -14 Td ({}", line.repeat(50));
    let file = pages(&(0..1_500).map(page).collect::<Vec<_>>());
    assert!((18 << 20..MAX).contains(&file.len()), "{}", file.len());
    let loaded = load(&quarry, &[("manual.pdf", file)]).await;
    let document = &loaded["documents"][0]["document"];
    assert!(document["characters"].as_u64().unwrap() > 5_500_000, "{loaded}");
    assert_eq!(document.get("notes"), None, "{loaded}");
    let search = json!({ "query": "Page 1499 begins", "top_k": 1 });
    let (_, found) = json(&quarry, "POST /knowledge/search", &search).await;
    assert_eq!(found["chunks"][0]["page"], 1_500, "{found}");
}
