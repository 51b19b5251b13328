//! What people send, and what they should not.

use super::*;

fn source(content: Content) -> Source {
    let collection = CollectionName::read(None).unwrap();
    Source { collection, content, title: None, metadata: Vec::new(), origin: Origin::default() }
}

fn value(text: &str) -> FieldValue {
    FieldValue::Text(text.to_owned())
}

fn file(name: &str, bytes: &[u8]) -> Source {
    source(Content::File { name: name.to_owned(), media_type: None, bytes: bytes.to_vec() })
}

fn ready(source: Source) -> Loading {
    match source.read(&Owner::new(None)).unwrap() {
        Incoming::Ready(loading) => *loading,
        Incoming::Page(pending) => panic!("{pending:?}"),
    }
}

fn refused(source: Source) -> LibraryError {
    match source.read(&Owner::new(None)) {
        Err(error) => error,
        Ok(incoming) => panic!("{incoming:?}"),
    }
}

#[test]
fn a_document_is_known_by_its_id_or_its_name_or_its_title_or_its_text() {
    let text = |text: &str| source(Content::Markdown(text.to_owned()));
    let one = ready(text("---\nid: fees\n---\nTen."));
    let other = ready(text("---\nid: fees\n---\nTwenty."));
    assert_eq!(one.id, other.id);
    assert_ne!(one.hash, other.hash);
    assert_eq!(ready(file("a/x.md", b"one")).id, ready(file("a/x.md", b"two")).id);
    assert_ne!(ready(file("a/x.md", b"one")).id, ready(file("b/x.md", b"one")).id);
    let titled =
        |title: &str, body: &str| ready(Source { title: Some(title.to_owned()), ..text(body) });
    assert_eq!(titled("T", "one").id, titled("T", "two").id);
    assert_ne!(ready(text("one")).id, ready(text("two")).id);
    assert_eq!(ready(text("one")), ready(text("one")));
    // Also by every later version.
    assert_eq!(ready(text("one")).id, "b994f1b100d83abb84b3a88d44feb514");
    // Not to anybody else.
    let theirs = text("one").read(&Owner::new(Some("a@b.test"))).unwrap();
    let Incoming::Ready(theirs) = theirs else { panic!("{theirs:?}") };
    assert_ne!(theirs.id, ready(text("one")).id);
    assert_eq!(theirs.hash, ready(text("one")).hash);
    // Where it comes from is said beside it.
    let origin = Origin::read(Some("/manuals".to_owned()), Replaces::Own).unwrap();
    let from = ready(Source { origin: origin.clone(), ..text("one") });
    assert_eq!(from, Loading { origin, ..ready(text("one")) });
}

#[test]
fn what_was_said_about_it_wins_and_its_folder_comes_last() {
    let bytes = b"---\ntitle: Own\ncategory: tariffs\nsource_org: Port\n---\n# Head\n\ntext";
    let mut sent = file("02_carriers/fees.md", bytes);
    sent.title = Some("Given".to_owned());
    sent.metadata = vec![("publisher".to_owned(), value("Harbour"))];
    let metadata = ready(sent).document.metadata;
    assert_eq!(metadata.title.as_deref(), Some("Given"));
    assert_eq!(metadata.source_org.as_deref(), Some("Harbour"));
    assert_eq!(metadata.category.as_deref(), Some("tariffs"));
    let metadata = ready(file("02_carriers/fees.md", b"text")).document.metadata;
    assert_eq!(metadata.category.as_deref(), Some("02_carriers"));
    assert_eq!(metadata.title.as_deref(), Some("fees"));
    assert!(metadata.other.is_empty(), "{metadata:?}");
    let metadata =
        ready(source(Content::Text("\nFirst line.\nSecond.".to_owned()))).document.metadata;
    assert_eq!(metadata.title.as_deref(), Some("First line."));
}

#[test]
fn a_page_is_read_by_whoever_reads_pages() {
    let Incoming::Page(pending) = file("a/fees.html", b"<p>Ten.").read(&Owner::new(None)).unwrap()
    else {
        panic!("read here")
    };
    let Known { collection, id, hash, name, .. } = pending.known().unwrap();
    assert_eq!((collection.as_str(), name), ("default", Some("a/fees.html")));
    let page = PageText {
        markdown: "Ten.".to_owned(),
        title: Some("Fees".to_owned()),
        truncated: true,
        ..PageText::default()
    };
    let loading = pending.read(page).unwrap();
    assert_eq!((loading.id, loading.hash, loading.kind), (id, hash, Kind::Html));
    assert_eq!((loading.document.title(), loading.document.issues.len()), ("Fees", 1));
    let url = "https://port.test/fees,and,more";
    let Incoming::Page(pending) =
        source(Content::Url(url.to_owned())).read(&Owner::new(None)).unwrap()
    else {
        panic!("read here")
    };
    assert!(pending.known().is_none());
    let page = PageText {
        markdown: "Ten.".to_owned(),
        title: Some("word ".repeat(101)),
        ..PageText::default()
    };
    let loading = pending.read(page).unwrap();
    assert_eq!(loading.document.title().len(), 499);
    let note = format!("the title of {url} has more than 500 characters: its end is left out");
    assert_eq!(loading.document.issues, [note]);
    assert_eq!(loading.document.metadata.source_urls, [url]);
    assert_eq!(loading.name.as_deref(), Some(url));
}

fn at(url: &str, media_type: &str, markdown: &str) -> Loading {
    let sent = source(Content::Url(url.to_owned())).read(&Owner::new(None)).unwrap();
    let Incoming::Page(pending) = sent else { panic!("{sent:?}") };
    let (media_type, markdown) = (media_type.to_owned(), markdown.to_owned());
    // As its reader finds it.
    let title = markdown.lines().find_map(|line| line.strip_prefix("# ")).map(str::to_owned);
    pending.read(PageText { media_type, markdown, title, ..PageText::default() }).unwrap()
}

#[test]
fn what_an_address_says_of_itself_takes_no_documents_place_and_names_no_other_source() {
    let says = "---\nid: REG-7\ntitle: Fees\ncategory: rules\ndate: 2024-03-01\nsource_org: Port\nsource_urls: \
                https://port.test/official\n---\n```sh\n# rm -rf\n```\n\n# Head\n\nTen.";
    let own = ready(source(Content::Markdown(says.to_owned())));
    assert_eq!(own.document.metadata.source_urls, ["https://port.test/official"]);
    for (url, media_type, title) in [
        ("https://a.test/a.txt", "text/plain", None),
        ("https://a.test/a.md?raw=1", "text/plain", Some("Fees")),
        ("https://a.test/a", "text/markdown", Some("Fees")),
        ("https://a.test/a", "text/html", None),
    ] {
        let theirs = at(url, media_type, says);
        assert_ne!(theirs.id, own.id, "{url}");
        let metadata = &theirs.document.metadata;
        assert_eq!(metadata.source_urls, [url]);
        assert_eq!((&metadata.id, &metadata.source_org), (&None, &None));
        let front = title.map(|_| ("rules", "2024-03-01"));
        assert_eq!(metadata.category.as_deref().zip(metadata.published.as_deref()), front);
        if let Some(title) = title {
            assert_eq!(theirs.document.title(), title);
        }
    }
    let kinds = [("a.txt", Kind::Text), ("a.md", Kind::Markdown)];
    for (name, kind) in kinds {
        let read = at(&format!("https://a.test/{name}"), "text/plain", "# One\n\nTen.");
        assert_eq!(
            (read.kind, read.document.format.has_headings()),
            (kind, kind == Kind::Markdown)
        );
    }
    let read = at("https://port.test/", "text/plain", "Ten.");
    assert_eq!(read.document.title(), "https://port.test/", "it can be cited");
    // A comment in a program is no heading.
    let titled = at("https://a.test/a.md", "text/markdown", "```sh\n# rm\n```\n\n# Head\n\nTen.");
    assert_eq!(titled.document.title(), "Head");
    // Whoever loads it may say whose it is.
    let given = Source {
        metadata: vec![("source_urls".to_owned(), value("https://b.test"))],
        ..source(Content::Url("https://a.test/a.md".to_owned()))
    };
    let Incoming::Page(pending) = given.read(&Owner::new(None)).unwrap() else { panic!("read") };
    let page = PageText { markdown: says.to_owned(), ..PageText::default() };
    assert_eq!(pending.read(page).unwrap().document.metadata.source_urls, ["https://b.test"]);
}

#[test]
fn a_page_that_is_sent_has_no_front_matter_and_keeps_the_id_that_it_is_known_by() {
    let Incoming::Page(pending) = file("a.html", b"<p>---").read(&Owner::new(None)).unwrap() else {
        panic!("read here")
    };
    let known = pending.known().unwrap().id;
    let markdown = "---\nid: REG-7\n---\n\nTen.".to_owned();
    let loading = pending.read(PageText { markdown, ..PageText::default() }).unwrap();
    assert_eq!((loading.id, loading.document.metadata.id), (known, None));
}

#[test]
fn a_chunk_of_a_pdf_file_knows_its_page() {
    let Incoming::Page(pending) = file("a.pdf", b"%PDF-1.7").read(&Owner::new(None)).unwrap()
    else {
        panic!("read here")
    };
    let (first, second) = ("One. ".repeat(190), "Two. ".repeat(190));
    let markdown = format!("{}\n\n{}", first.trim(), second.trim());
    let pages = vec![0, first.trim().len() + 2];
    let page = PageText {
        media_type: Kind::Pdf.media_type().to_owned(),
        markdown,
        pages: pages.clone(),
        ..PageText::default()
    };
    let loading = pending.read(page).unwrap();
    assert_eq!((loading.kind, &loading.pages), (Kind::Pdf, &pages));
    let chunks = crate::chunk::chunks(&loading.document, &loading.pages);
    let found: Vec<Option<u32>> = chunks.iter().map(|chunk| chunk.page).collect();
    assert_eq!(found, [Some(1), Some(2)]);
}

#[test]
fn pages_are_known_where_not_all_of_the_text_is_kept() {
    for odd in ["\u{1}", "\u{feff}", "\r\n", "<meta charset=iso-2022-jp>\u{e}"] {
        let Incoming::Page(pending) = file("a.pdf", b"%PDF-1.7").read(&Owner::new(None)).unwrap()
        else {
            panic!("read here")
        };
        let (first, second) = ("One. ".repeat(190), "Two. ".repeat(190));
        let markdown = format!("{odd}{first}{odd}\n\n{second}");
        let pages = vec![0, markdown.find("Two.").unwrap()];
        let loading = pending.read(PageText { markdown, pages, ..PageText::default() }).unwrap();
        assert_eq!(loading.pages, [0, loading.document.text.find("Two.").unwrap()], "{odd:?}");
        let chunks = crate::chunk::chunks(&loading.document, &loading.pages);
        assert_eq!(chunks.last().and_then(|chunk| chunk.page), Some(2), "{odd:?}");
    }
}

#[test]
fn what_a_text_says_of_character_sets_changes_nothing_of_it() {
    for charset in ["iso-2022-kr", "hz-gb-2312", "iso-2022-jp", "utf-16"] {
        let said = format!("Write <meta charset={charset}>. {}Ténèbres.", "A word. ".repeat(9_000));
        for content in [Content::Text(said.clone()), Content::Markdown(said.clone())] {
            assert_eq!(ready(source(content)).document.text, said, "{charset}");
        }
        for name in ["a.md", "a.txt"] {
            let loading = ready(file(name, said.as_bytes()));
            assert_eq!((&loading.document.text, loading.document.issues), (&said, Vec::new()));
        }
        let sent = source(Content::Html(said)).read(&Owner::new(None)).unwrap();
        let Incoming::Page(pending) = sent else { panic!("read here") };
        assert_eq!(pending.media_type(Kind::Html), "text/html; charset=utf-8");
    }
}

#[test]
fn a_pdf_file_that_was_cut_is_read_again_when_it_is_sent_again() {
    let read = |truncated, markdown: &str| {
        let sent = file("a.pdf", b"%PDF-1.7").read(&Owner::new(None)).unwrap();
        let Incoming::Page(pending) = sent else { panic!("read here") };
        let known = pending.known().unwrap().hash;
        let page = PageText { truncated, markdown: markdown.to_owned(), ..PageText::default() };
        (known, pending.read(page).unwrap().hash)
    };
    let (known, whole) = read(false, "One. Two.");
    assert_eq!(known, whole);
    let (known, cut) = read(true, "One.");
    assert_ne!(known, cut, "it is not taken for what is there");
    let more = read(true, "One. Two.").1;
    for (kept, comes, is_enough) in [
        (&whole, &whole, true),
        (&cut, &cut, true),
        (&whole, &cut, true),
        (&more, &cut, true),
        (&cut, &more, false),
        (&cut, &whole, false),
        (&ready(file("b.txt", b"One.")).hash, &cut, false),
    ] {
        assert_eq!(says_as_much(kept, comes), is_enough, "{kept} {comes}");
    }
}

#[test]
fn what_is_no_document_is_told_with_its_name_and_the_way_out() {
    for (sent, says) in [
        (file("x/empty.md", b" \n"), "x/empty.md has no text"),
        (file("scan.pdf", b"  "), "scan.pdf has no text"),
        (file("a.json", b"{"), "a.json is not JSON"),
        (file("a.odt", b"PK"), "a.odt is of a format that is not read; Markdown"),
        (file("../a.md", b"x"), "`file` `../a.md` is no path below a folder"),
        (source(Content::Text(String::new())), "the text has no text"),
        (source(Content::Url("a\nb".to_owned())), "`url` wants"),
    ] {
        let error = refused(sent).to_string();
        assert!(error.starts_with(says), "{error}");
    }
    let said = |key: &str, text: &str, times: usize| {
        let fields = (0..times).map(|at| (format!("{key}{at}"), value(text))).collect();
        Source { metadata: fields, ..file("a.md", b"x") }
    };
    let fields = |fields: &[(&str, &str)]| {
        let owned = |(key, text): &(&str, &str)| ((*key).to_owned(), value(text));
        Source { metadata: fields.iter().map(owned).collect(), ..file("a.md", b"x") }
    };
    for (sent, says) in [
        (file(&format!("{}.md", "x".repeat(498)), b"x"), "has a name of more than 500 characters"),
        (file(" ", b"x"), "has no name; send one with its ending"),
        (file("a\\b.md", b"x"), "part folders by /"),
        (source(Content::Url("x".repeat(2_049))), "at most 2048 characters"),
        (Source { title: Some("x".repeat(501)), ..file("a.md", b"x") }, "at most 500 characters"),
        (said("field", "x", 33), "`metadata` has more than 32 fields"),
        (
            said("field", &"x".repeat(501), 1),
            "`metadata.field0` has more than 500 characters; shorten",
        ),
        (said(&"x".repeat(501), "x", 1), "x` has a name of more than 500 characters; shorten it"),
        (fields(&[(" ", "x")]), "`metadata` has a field without a name"),
        (fields(&[("\0", "x")]), "`metadata` has a field without a name"),
        (fields(&[("url", &"x".repeat(2_049))]), "`metadata.url` has an address of more than 2048"),
        (
            fields(&[("source_urls", &"a, ".repeat(33))]),
            "has more than 32 addresses; leave some out",
        ),
        (
            fields(&[("date", "1823"), ("published", "1824")]),
            "`metadata.published` says something else",
        ),
        (
            Source { title: Some("A".to_owned()), ..fields(&[("title", "B")]) },
            "`title` says something",
        ),
    ] {
        let error = refused(sent);
        assert!(matches!(error, LibraryError::Field { .. }), "{error:?}");
        assert!(error.to_string().contains(says), "{error}");
    }
    assert!(CollectionName::read(Some(&"x".repeat(64))).is_ok());
    assert!(CollectionName::read(Some(&"x".repeat(65))).is_err());
    let long = vec![b'x'; MAX_BYTES + 1];
    for name in ["big.txt", "big.html"] {
        let error = refused(file(name, &long));
        assert!(matches!(error, LibraryError::TooLarge(_)), "{error:?}");
        assert!(error.to_string().starts_with(name), "{error}");
    }
}

#[test]
fn a_format_is_told_by_the_ending_then_by_the_sender_then_by_the_bytes() {
    for (name, sender, bytes, expected) in [
        ("a.MD", "text/plain", &b"x"[..], Kind::Markdown),
        ("a", "text/csv", b"x", Kind::Csv),
        ("a.bin", "", b"%PDF-1.7", Kind::Pdf),
        ("a.htm", "", b"x", Kind::Html),
        ("a.docx", "", b"PK", Kind::Docx),
        ("a", Kind::Docx.media_type(), b"PK", Kind::Docx),
    ] {
        assert_eq!(kind(name, sender, bytes), Ok(expected), "{name}");
    }
}

#[test]
fn a_file_is_read_in_the_character_set_that_its_sender_names() {
    let sent = |name: &str, media_type: &str, bytes: &[u8]| {
        let (name, media_type) = (name.to_owned(), Some(media_type.to_owned()));
        source(Content::File { name, media_type, bytes: bytes.to_vec() })
    };
    let cyrillic = b"\xcf\xf0\xe8\xe2\xe5\xf2";
    let read = ready(sent("a.txt", "text/plain; charset=windows-1251", cyrillic));
    assert_eq!((read.document.text.as_str(), read.document.issues.len()), ("Привет", 0));
    let guessed = ready(sent("a.txt", "text/plain", cyrillic));
    assert_eq!((guessed.document.issues.len(), &guessed.id), (1, &read.id));
    assert_ne!(guessed.hash, read.hash, "loaded again with its name, it is mended");
    let page = sent("a.html", "text/html; charset=KOI8-R", b"<p>\xf0").read(&Owner::new(None));
    let Ok(Incoming::Page(page)) = page else { panic!("{page:?}") };
    assert_eq!(page.media_type(Kind::Html), "text/html; charset=KOI8-R");
}
