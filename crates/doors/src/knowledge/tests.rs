//! From a request to its order: what is sent, and what is refused.

use proptest::prelude::*;
use quarry_types::Timestamp;

use super::form::MOST_METADATA_BYTES;
use super::*;
use crate::{Entrance, Hidden, Reply, enter};

const ID: &str = "0123456789abcdef0123456789abcdef";
const NOW: Timestamp = Timestamp(0);

fn head(method: &str, target: &str) -> Head {
    Head::read(method.to_owned(), &target.replace("{id}", ID), &[])
}

fn open(head: &Head, body: &[u8]) -> Result<Order, Refusal> {
    let Entrance::Open(visit) = enter(head, NOW) else { panic!("{head:?} finds no door") };
    match visit.open(head, body).order? {
        crate::Order::Knowledge(order) => Ok(*order),
        other => panic!("{other:?} is no order about documents"),
    }
}

fn form(parts: &[(&str, &str)]) -> (Head, Vec<u8>) {
    let kind = Some("multipart/form-data; boundary=x".to_owned());
    let head = Head { content_type: kind, ..head("POST", "/knowledge/documents") };
    let mut body = String::new();
    for (disposition, text) in parts {
        body += &format!("--x\r\nContent-Disposition: form-data; {disposition}\r\n\r\n{text}\r\n");
    }
    (head, format!("{body}--x--\r\n").into_bytes())
}

#[test]
fn every_address_leads_to_its_order() {
    let id = || ID.to_owned();
    let listing = |category: Option<&str>| {
        let (collection, cursor) = (Some("notes".into()), Some("9".into()));
        Call::List(Listing { collection, category: category.map(str::to_owned), limit: 7, cursor })
    };
    let opening = |as_of: Option<&str>| {
        let as_of = as_of.map(str::to_owned);
        Call::Chunks(Opening { id: id(), from: 7, limit: 20, as_of })
    };
    for (method, target, expected) in [
        ("GET", "/knowledge/documents?collection=notes&limit=7&cursor=9", listing(None)),
        (
            "GET",
            "/knowledge/documents?collection=notes&category=Late+Geb%C3%BChren&limit=7&cursor=9",
            listing(Some("Late Gebühren")),
        ),
        ("GET", "/knowledge/documents/{id}", Call::Show(id())),
        ("DELETE", "/knowledge/documents/{id}", Call::Delete(id())),
        ("GET", "/knowledge/documents/{id}/chunks?from=7", opening(None)),
        (
            "GET",
            "/knowledge/documents/{id}/chunks?from=7&as_of=1c0ffee5",
            opening(Some("1c0ffee5")),
        ),
        ("GET", "/knowledge/collections", Call::Collections),
        ("GET", "/knowledge/collections/notes/stats", Call::Stats("notes".into())),
        ("POST", "/knowledge/collections/notes/reindex", Call::Reindex("notes".into())),
    ] {
        assert_eq!(open(&head(method, target), b"").unwrap().call, expected, "{method} {target}");
    }
    let body = r#"{"query":"late fees?","filter":{"category":["a","b"],"source_org":"Port"}}"#;
    let Call::Search(query) =
        open(&head("POST", "/knowledge/search"), body.as_bytes()).unwrap().call
    else {
        panic!("no search")
    };
    let expected = Query {
        text: "late fees?".into(),
        collection: None,
        top_k: 10,
        threshold: 0.15,
        categories: vec!["a".into(), "b".into()],
        source_orgs: vec!["Port".into()],
        documents: Vec::new(),
    };
    assert_eq!(*query, expected);
}

#[test]
fn a_document_comes_as_an_object_or_as_files() {
    let body = r##"{"markdown":"# A","title":"T","metadata":{"pages":3,"source_urls":["a,b","c"]},
        "collection":"notes","origin":"/notes","accessSecret":"sesame"}"##;
    let order = open(&head("POST", "/knowledge/documents"), body.as_bytes()).unwrap();
    assert_eq!(order.credentials.secret, Some(Hidden("sesame".into())));
    let Call::Load(batch) = order.call else { panic!("no load") };
    assert_eq!((batch.sources.len(), batch.telling), (1, Telling::One));
    let source = &batch.sources[0];
    assert!(source.content == Content::Markdown("# A".into()));
    let fields = [
        ("pages".to_owned(), FieldValue::Text("3".into())),
        ("source_urls".to_owned(), FieldValue::List(vec!["a,b".into(), "c".into()])),
    ];
    assert_eq!(source.metadata[..], fields);
    assert_eq!((source.origin.as_deref(), source.replace), (Some("/notes"), Replace::Own));

    let (head, body) = form(&[
        ("name=file; filename=\"a/b.md\"", "# A"),
        ("name=collection", "notes"),
        ("name=metadata", "{\"category\":\"x\"}"),
        ("name=more; filename=c.csv", "a,b"),
        ("name=origin", "/manuals"),
        ("name=replace", "true"),
    ]);
    let lines = Head { accept: Some("application/x-ndjson".into()), ..head };
    let Call::Load(batch) = open(&lines, &body).unwrap().call else { panic!("no load") };
    assert_eq!((batch.sources.len(), batch.telling), (2, Telling::Lines));
    for source in &batch.sources {
        assert_eq!(source.collection.as_deref(), Some("notes"));
        assert_eq!(source.metadata[..], [("category".to_owned(), FieldValue::Text("x".into()))]);
        assert_eq!(
            (source.origin.as_deref(), source.replace),
            (Some("/manuals"), Replace::Anything)
        );
    }
    let Content::File { name, bytes, .. } = &batch.sources[0].content else { panic!("no file") };
    assert_eq!((name.as_str(), bytes.as_slice()), ("a/b.md", b"# A".as_slice()));
}

#[test]
fn the_address_may_name_the_collection() {
    let load = |query: &str, body: &str| {
        let head = head("POST", &format!("/knowledge/documents?{query}"));
        open(&head, body.as_bytes()).map(|order| match order.call {
            Call::Load(batch) => batch.sources[0].collection.clone(),
            other => panic!("{other:?}"),
        })
    };
    let ask = |query: &str, body: &str| {
        let head = head("POST", &format!("/knowledge/ask?{query}"));
        let Entrance::Open(visit) = enter(&head, NOW) else { panic!("no door") };
        visit.open(&head, body.as_bytes()).order.map(|order| match order {
            crate::Order::Consult(request) => request.collection,
            other => panic!("{other:?}"),
        })
    };
    let (plain, notes) = (r#"{"query":"a"}"#, r#"{"query":"a","collection":"notes"}"#);
    assert_eq!(ask("collection=boats", plain), Ok(Some("boats".to_owned())));
    assert_eq!(ask("stream=true&collection=notes", notes), Ok(Some("notes".to_owned())));
    assert_eq!(ask("collection=", notes), Ok(Some("notes".to_owned())));
    assert_eq!(ask("", plain), Ok(None));
    let refusal = ask("collection=boats", notes).unwrap_err();
    assert!(refusal.to_string().contains("another collection"), "{refusal}");
    let refusal = ask(&format!("collection={}", "a".repeat(65)), plain).unwrap_err();
    assert!(refusal.to_string().contains("`collection` is too long"), "{refusal}");
    let (plain, notes) = (r#"{"text":"a"}"#, r#"{"text":"a","collection":"notes"}"#);
    assert_eq!(load("collection=boats", plain), Ok(Some("boats".to_owned())));
    assert_eq!(load("collection=notes", notes), Ok(Some("notes".to_owned())));
    let refusal = load("collection=boats", notes).unwrap_err();
    assert!(refusal.to_string().contains("another collection"), "{refusal}");
    let head = head("POST", "/knowledge/search?collection=boats");
    let Ok(Order { call: Call::Search(query), .. }) = open(&head, br#"{"query":"a"}"#) else {
        panic!("no search")
    };
    assert_eq!(query.collection.as_deref(), Some("boats"));
    assert!(open(&head, br#"{"query":"a","collection":"notes"}"#).is_err());
}

#[test]
fn an_address_with_what_it_does_not_know_or_has_twice_is_refused_with_its_name() {
    let document = "/knowledge/documents/{id}";
    let chunks = format!("{document}/chunks");
    let stats = "/knowledge/collections/notes/stats";
    let lists = "there are `collection`, `category`, `limit`, `cursor`";
    for (method, path, query, named, says) in [
        ("GET", "/knowledge/documents", "categry=fees", "categry", lists),
        ("GET", "/knowledge/documents", "category=a&category=b", "category", "twice"),
        ("GET", "/knowledge/documents", "category=100%", "category", "wants a text"),
        ("GET", "/knowledge/documents", "limit=1&limit=1", "limit", "twice"),
        ("POST", "/knowledge/documents", "origin=/a", "origin", "there is `collection` alone"),
        ("POST", "/knowledge/search", "top_k=5", "top_k", "there is `collection` alone"),
        ("POST", "/knowledge/search", "collection=a&collection=b", "collection", "twice"),
        ("GET", document, "collection=a", "collection", "this address takes none"),
        ("DELETE", document, "collection=a", "collection", "this address takes none"),
        ("GET", chunks.as_str(), "to=7", "to", "there are `from`, `limit`, `as_of`"),
        ("GET", chunks.as_str(), "from=7&from=8", "from", "twice"),
        ("GET", "/knowledge/collections", "limit=7", "limit", "this address takes none"),
        ("GET", stats, "x", "x", "this address takes none"),
    ] {
        let head = head(method, &format!("{path}?{query}"));
        let refused = open(&head, br#"{"query":"a","text":"a"}"#).map(drop);
        let Err(Refusal::InvalidField { field, message }) = refused else {
            panic!("{method} {path}?{query}: {refused:?}")
        };
        assert_eq!(field, named, "{path}?{query}");
        assert!(message.contains(says), "{path}?{query}: {message}");
    }
}

#[cfg(feature = "schema")]
#[test]
fn the_document_has_the_parameters_that_are_known() {
    for knowledge in [
        Knowledge::Load,
        Knowledge::List,
        Knowledge::Show,
        Knowledge::Delete,
        Knowledge::Chunks,
        Knowledge::Search,
        Knowledge::Collections,
        Knowledge::Stats,
        Knowledge::Reindex,
    ] {
        let documented = operation::in_query(&operation::operation(knowledge));
        assert_eq!(documented, knowledge.parameters(), "{knowledge:?}");
    }
}

#[test]
fn a_body_with_a_field_twice_is_refused_with_its_name() {
    let (load, search) = ("/knowledge/documents", "/knowledge/search");
    for (path, body, named) in [
        (load, r#"{"text":"a","text":"b"}"#, "text"),
        (load, r#"{"text":"a","collection":"a","collection":"b"}"#, "collection"),
        (load, r#"{"text":"a","metadata":{"category":"a","category":"b"}}"#, "metadata.category"),
        (search, r#"{"query":"a","top_k":1,"top_k":2}"#, "top_k"),
        (search, r#"{"query":"a","filter":{"category":"a","category":"b"}}"#, "filter.category"),
    ] {
        let refused = open(&head("POST", path), body.as_bytes()).map(drop);
        assert_eq!(refused, Err(Refusal::field(named, "stands there twice; send it once")));
    }
    let twice = r#"{"category":"a","category":"b"}"#;
    let (head, body) = form(&[("name=file; filename=a.md", "# A"), ("name=metadata", twice)]);
    let refused = open(&head, &body).map(drop);
    let expected = Refusal::field("metadata.category", "stands there twice; send it once");
    assert_eq!(refused, Err(expected));
}

#[test]
fn whether_another_document_may_be_replaced_is_said_or_left_to_where_it_comes_from() {
    let replace = |body: &str| {
        let order = open(&head("POST", "/knowledge/documents"), body.as_bytes()).unwrap();
        let Call::Load(batch) = order.call else { panic!("no load") };
        batch.sources[0].replace
    };
    assert_eq!(replace(r#"{"text":"a"}"#), Replace::Own);
    assert_eq!(replace(r#"{"text":"a","replace":null}"#), Replace::Own);
    assert_eq!(replace(r#"{"text":"a","replace":false}"#), Replace::Nothing);
    assert_eq!(replace(r#"{"text":"a","replace":true}"#), Replace::Anything);
    let (head, body) = form(&[("name=file; filename=a.md", "# A"), ("name=replace", "false")]);
    let Call::Load(batch) = open(&head, &body).unwrap().call else { panic!("no load") };
    assert_eq!(batch.sources[0].replace, Replace::Nothing);
}

#[test]
fn whoever_opens_a_citation_is_told_whether_its_document_was_changed_since() {
    let told = |asked: Option<&str>| {
        let reply = chunks(Vec::new(), None, "1c0ffee5".to_owned(), asked.map(str::to_owned));
        String::from_utf8(reply.body.into_owned()).unwrap()
    };
    let plain = r#"{"chunks":[],"next":null,"as_of":"1c0ffee5""#;
    assert_eq!(told(None), format!("{plain}}}"));
    assert_eq!(told(Some("1c0ffee5")), format!("{plain},\"changed\":false}}"));
    assert_eq!(told(Some("0ddba115")), format!("{plain},\"changed\":true}}"));
}

/// It would be there once for each file, before anybody is asked who sends it.
#[test]
fn what_a_form_says_of_all_its_files_is_small() {
    let name = "a".repeat(65);
    let fields = format!("{{\"category\":\"{}\"}}", "a".repeat(MOST_METADATA_BYTES));
    for (field, value, says) in [
        ("name=collection", name.as_str(), "`collection` is too long"),
        ("name=metadata", fields.as_str(), "`metadata` is over 128 KiB"),
        ("name=origin", fields.as_str(), "`origin` is too long"),
    ] {
        let (head, body) = form(&[("name=file; filename=a.md", "# A"), (field, value)]);
        let refusal = open(&head, &body).unwrap_err();
        assert!(refusal.to_string().contains(says), "{refusal}");
    }
}

#[test]
fn what_a_form_says_twice_is_refused_with_its_name() {
    let sent = |field: &str, values: [&str; 2]| {
        let field = format!("name={field}");
        let fields = values.map(|value| (field.as_str(), value));
        let (head, body) = form(&[("name=file; filename=a.md", "# A"), fields[0], fields[1]]);
        open(&head, &body).map(drop)
    };
    for (field, values) in [
        ("collection", ["notes", "boats"]),
        ("collection", ["notes", "notes"]),
        ("metadata", [r#"{"category":"a"}"#, r#"{"source_org":"Port"}"#]),
        ("origin", ["/manuals", "/rules"]),
        ("replace", ["true", "false"]),
        ("accessSecret", ["sesame", "barley"]),
        ("google_token", ["a", "b"]),
    ] {
        let Err(Refusal::InvalidField { field: named, message }) = sent(field, values) else {
            panic!("{field}")
        };
        assert_eq!((named.as_str(), message.as_str()), (field, "stands there twice; send it once"));
        // Front ends send their empty inputs.
        assert_eq!(sent(field, ["", values[1]]), Ok(()), "{field}");
    }
}

#[test]
fn an_id_is_for_one_file() {
    let with_id = |files: usize| {
        let files_sent = ["name=file; filename=a.md", "name=file; filename=b.md"];
        let mut parts: Vec<_> = files_sent.iter().take(files).map(|file| (*file, "# A")).collect();
        parts.push(("name=metadata", r#"{"Doc-ID":"X"}"#));
        let (head, body) = form(&parts);
        open(&head, &body).map(drop)
    };
    assert!(with_id(1).is_ok());
    assert!(with_id(2).unwrap_err().to_string().contains("`metadata.Doc-ID` names one document"));
}

#[test]
fn two_files_of_one_name_are_not_two_documents() {
    let sent = |names: [&str; 2]| {
        let parts = names.map(|name| format!("name=file; filename=\"{name}\""));
        let parts = [(parts[0].as_str(), "# A"), (parts[1].as_str(), "# B")];
        let (head, body) = form(&parts);
        open(&head, &body).map(drop)
    };
    assert!(sent(["a/fees.md", "b/fees.md"]).is_ok());
    let refused = sent(["a/fees.md", "a/fees.md"]).unwrap_err().to_string();
    assert!(refused.starts_with("`file` has `a/fees.md` twice;"), "{refused}");
}

#[test]
fn whoever_is_loaded_next_is_told_which_ids_those_before_it_say_themselves() {
    let document = |id: &str, own_id: Option<&str>| Document {
        id: id.to_owned(),
        collection: "default".to_owned(),
        name: None,
        format: "markdown",
        hash: String::new(),
        bytes: 0,
        characters: 0,
        chunks: 0,
        loaded_at: String::new(),
        notes: Vec::new(),
        origin: None,
        metadata: Metadata { own_id: own_id.map(str::to_owned), ..Metadata::default() },
    };
    let mut count = Count::default();
    for (id, own_id) in [("a", Some("M-7")), ("b", None)] {
        count.add(&Outcome::done(None, "unchanged", document(id, own_id), None));
    }
    assert_eq!(count.own_ids(), ["a"]);
}

/// They look alike, and whoever loads them refuses each.
#[test]
fn names_that_are_no_text_do_not_refuse_a_whole_form() {
    let (head, _) = form(&[]);
    let mut body = Vec::new();
    for name in [b"caf\xe9.md", b"caf\xe8.md"] {
        body.extend_from_slice(b"--x\r\nContent-Disposition: form-data; name=file; filename=\"");
        body.extend_from_slice(name);
        body.extend_from_slice(b"\"\r\n\r\n# A\r\n");
    }
    body.extend_from_slice(b"--x--\r\n");
    let Call::Load(batch) = open(&head, &body).unwrap().call else { panic!("no load") };
    assert_eq!(batch.sources.len(), 2);
}

/// Commas of a text are none.
#[test]
fn a_body_of_very_many_values_is_refused_before_it_is_read() {
    let load = head("POST", "/knowledge/documents");
    let many = format!(r#"{{"text":"a","metadata":{{"a":[{}1]}}}}"#, "1,".repeat(100_000));
    let refusal = open(&load, many.as_bytes()).unwrap_err();
    assert!(refusal.to_string().contains("more than 100000 values"), "{refusal}");
    let text = format!(r#"{{"text":"{}"}}"#, r#"a,\","#.repeat(100_000));
    assert!(open(&load, text.as_bytes()).is_ok());
}

#[test]
fn what_is_refused_has_a_status_and_says_why() {
    let load = head("POST", "/knowledge/documents");
    for (body, says) in [
        ("[", "not a JSON object"),
        ("{}", "`markdown` is missing, and so are text, html and url"),
        (r#"{"text":""}"#, "`text` is empty; send what the document says, or leave it out"),
        (r#"{"text":null,"url":""}"#, "`url` is empty; "),
        (r#"{"text":"a","html":"b"}"#, "`html` stands beside another text"),
        (r#"{"markdwon":"a"}"#, "the nearest is `markdown`"),
        (r#"{"text":"a","metadata":{"a":{}}}"#, "`metadata.a` wants a text"),
        (r#"{"text":7}"#, "`text` wants a text"),
    ] {
        let refusal = open(&load, body.as_bytes()).unwrap_err();
        assert_eq!(refusal.status(), 400, "{body}");
        assert!(refusal.to_string().contains(says), "{body}: {refusal}");
    }
    let search = head("POST", "/knowledge/search");
    for (body, says) in [
        (r#"{"query":" "}"#, "`query` is missing or empty"),
        (r#"{"query":"a","top_k":101}"#, "`top_k` wants a whole number from 1 to 100"),
        (r#"{"query":"a","threshold":2}"#, "`threshold` wants a number from 0 to 1"),
        (r#"{"query":"a","filter":{"categry":"x"}}"#, "the nearest is `category`"),
        (r#"{"query":"a","filter":{"category":7}}"#, "`filter.category` wants a text"),
    ] {
        let refusal = open(&search, body.as_bytes()).unwrap_err();
        assert_eq!(refusal.status(), 400, "{body}");
        assert!(refusal.to_string().contains(says), "{body}: {refusal}");
    }
    for (parts, says) in [
        (&[("name=collection", "a")][..], "`file` is missing"),
        (&[("name=file", "no name")][..], "`file` is no field here"),
        (&[("name=metadata", "[")][..], "`metadata` is not a JSON object"),
        (&[("name=replace", "yes")][..], "`replace` wants true or false"),
    ] {
        let (head, body) = form(parts);
        let refusal = open(&head, &body).unwrap_err();
        assert_eq!(refusal.status(), 400, "{parts:?}");
        assert!(refusal.to_string().contains(says), "{parts:?}: {refusal}");
    }
    let Entrance::Open(visit) = enter(&load, NOW) else { panic!("a door") };
    let refused = visit.voice(&load).refuse(&Refusal::TooLarge { limit: 9 }, NOW);
    let says = String::from_utf8(refused.body.into_owned()).unwrap();
    assert_eq!(refused.status, 413);
    assert!(
        says.contains("over 9 bytes; send a document as a file (multipart/form-data)"),
        "{says}"
    );
    let wrong = open(&head("GET", "/knowledge/documents?limit=0"), b"").unwrap_err();
    assert!(wrong.to_string().starts_with("`limit`"));
    let wrong = open(&head("GET", "/knowledge/documents/{id}/chunks?from=x"), b"").unwrap_err();
    assert!(wrong.to_string().starts_with("`from`"));
}

#[test]
fn loading_is_told_as_its_caller_likes() {
    let why = Refusal::NoDocument("a.md has no text".into());
    let outcome = Outcome::failed(Some("a.md".into()), &why, None);
    let mut count = Count::default();
    count.add(&outcome);
    let data =
        r#"{"name":"a.md","change":"failed","error":"a.md has no text","type":"invalid_field"}"#;
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    assert_eq!(text(Telling::Lines.tell(&outcome)), format!("{data}\n"));
    assert_eq!(text(Telling::Frames.tell(&outcome)), format!("event: document\ndata: {data}\n\n"));
    let done = r#"{"loaded":0,"unchanged":0,"failed":1}"#;
    assert_eq!(text(Telling::Frames.end(&count)), format!("event: done\ndata: {done}\n\n"));
    let reply = loaded(vec![outcome], count);
    let expected = format!("{{\"documents\":[{data}],\"loaded\":0,\"unchanged\":0,\"failed\":1}}");
    assert_eq!((reply.status, text(reply.body.into_owned())), (200, expected));
    assert_eq!(time(0), None);
}

proptest! {
    /// Whatever is asked, somebody answers: an order, or a refusal with a status of its own.
    #[test]
    fn no_request_brings_the_doors_down(
        method in "GET|POST|DELETE",
        path in "/knowledge/(documents|search|collections)(/.{0,12}(/(chunks|stats|reindex))?)?",
        query in ".{0,30}",
        kind in prop::option::of("multipart/form-data; boundary=x|application/json|.{0,20}"),
        body in prop::collection::vec(any::<u8>(), 0..80),
    ) {
        let head = Head::read(method, &format!("{path}?{query}"), &[]);
        let head = Head { content_type: kind, ..head };
        let reply = match enter(&head, NOW) {
            Entrance::Closed(reply) => reply,
            Entrance::Open(visit) => match visit.open(&head, &body).order {
                Ok(_) => Reply::empty(),
                Err(refusal) => Reply::refusal(&refusal),
            },
        };
        prop_assert!([204, 400, 404, 405].contains(&reply.status), "{}", reply.status);
    }
}
