//! Collections with questions, as folders.

use super::walk::{Walked, unreadable, walk};
use anyhow::{Context, Result, bail, ensure};
use quarry_knowledge::chunk::{Chunk, chunks};
use quarry_knowledge::document::{Document, Format, stem};
use quarry_knowledge::intake::{
    CollectionName, Content, Incoming, Loading, Origin, Owner, PageText, Source, Wanted,
};
use quarry_knowledge::library::Kind;
use quarry_knowledge::rank::segment::{ChunkKey, Indexed};
use quarry_pages::extent::Extent;
use quarry_pages::page::{Headers, read};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A collection and its questions.
#[derive(Default)]
pub struct Loaded {
    pub documents: Vec<Doc>,
    pub questions: Vec<Question>,
    /// Files and folders that were not read, a sentence each.
    pub issues: Vec<String>,
    /// Their paths.
    unread: Vec<String>,
    /// Whether a folder is among them: what its files are called is not known.
    has_unread_folder: bool,
    /// What was not read of files that were, a sentence each.
    pub notes: Vec<String>,
    /// Bytes of all files that were read.
    pub bytes: usize,
}

/// A document in chunks.
pub struct Doc {
    pub name: String,
    /// The path of its file; none where it has no file of its own.
    file: Option<String>,
    pub document: Document,
    pub chunks: Vec<Chunk>,
}

/// A question and the documents that answer it, each with a grade above 0.
pub struct Question {
    pub id: Value,
    pub text: String,
    pub relevant: BTreeMap<String, f64>,
}

impl Question {
    /// The grade of a document; 0 where it does not answer.
    pub fn grade(&self, name: &str) -> f64 {
        self.relevant.get(name).copied().unwrap_or_default()
    }
}

impl Loaded {
    /// Reads a folder of documents with a file of questions, or one in the form of Cranfield.
    pub fn read(folder: &Path, questions: Option<&Path>) -> Result<Loaded> {
        let loaded = match questions {
            None if folder.join("documents.json").is_file() => cranfield(folder)?,
            None => bail!(
                "name a file of questions; only a folder with documents.json, queries.json and qrels.json has its own"
            ),
            Some(file) => {
                let (mut loaded, names) = of_folder(folder)?;
                loaded.questions = of_lines(file, &loaded, &names)?;
                loaded
            }
        };
        ensure!(!loaded.documents.is_empty(), "{}", loaded.without_documents(folder));
        ensure!(!loaded.questions.is_empty(), "no question has a relevant document");
        Ok(loaded)
    }

    /// `pages`: where those of a PDF file begin.
    fn add(&mut self, name: String, file: Option<String>, document: Document, pages: &[usize]) {
        self.notes.extend(document.issues.iter().cloned());
        let chunks = chunks(&document, pages);
        self.documents.push(Doc { name, file, document, chunks });
    }

    fn leave_out(&mut self, file: String, issue: String) {
        self.issues.push(issue);
        self.unread.push(file);
    }

    fn without_documents(&self, folder: &Path) -> String {
        let why = self.issues.iter().map(|issue| format!("\n  left out: {issue}"));
        format!("{} has no documents{}", folder.display(), why.collect::<String>())
    }

    /// Whether a file of this name may be there that was not read: its question finds nothing, and counts.
    fn is_unread(&self, name: &str) -> bool {
        self.has_unread_folder || self.unread.iter().any(|file| called(file).contains(&name))
    }

    /// The name of a document by its number.
    pub fn name(&self, document: u64) -> &str {
        let doc = usize::try_from(document).ok().and_then(|at| self.documents.get(at));
        doc.map_or("", |doc| &doc.name)
    }

    /// How many chunks there are.
    pub fn chunks(&self) -> usize {
        self.documents.iter().map(|doc| doc.chunks.len()).sum()
    }

    /// All chunks, as an index takes them.
    pub fn indexed(&self) -> impl Iterator<Item = Indexed<'_>> {
        (0..).zip(&self.documents).flat_map(|(document, doc)| {
            doc.chunks.iter().map(move |chunk| Indexed {
                key: ChunkKey { document, number: chunk.number },
                title: doc.document.title(),
                headings: &chunk.headings,
                body: chunk.text(&doc.document.text),
            })
        })
    }
}

/// By what questions may call documents: the places of those that are called so.
type Names = BTreeMap<String, BTreeSet<usize>>;

/// What a file is called, by its name or its path, without its ending or with it.
fn called(file: &str) -> [&str; 4] {
    let name = file.rsplit('/').next().unwrap_or(file);
    let short = stem(file);
    let bare = file.get(..file.len() - name.len() + short.len()).unwrap_or(file);
    [short, name, bare, file]
}

fn of_folder(folder: &Path) -> Result<(Loaded, Names)> {
    let mut loaded = Loaded::default();
    let (mut ids, mut names) = (BTreeMap::<String, String>::new(), Names::new());
    let shown = |path: &Path| path.strip_prefix(folder).unwrap_or(path).display().to_string();
    let Walked { files, unread, .. } = walk(folder)?;
    for one in unread {
        let name = shown(&one.path);
        let issue = format!("{name} {}", one.why);
        loaded.leave_out(name, issue);
        loaded.has_unread_folder |= one.is_folder;
    }
    for file in files {
        let shown = shown(&file);
        let bytes = match fs::read(&file) {
            Ok(bytes) => bytes,
            Err(error) => {
                let issue = format!("{shown} {}", unreadable(&error));
                loaded.leave_out(shown, issue);
                continue;
            }
        };
        let length = bytes.len();
        let Loading { document, pages, .. } = match document(&shown, bytes) {
            Ok(loading) => loading,
            Err(issue) => {
                loaded.leave_out(shown, issue);
                continue;
            }
        };
        let id = document.metadata.id.clone();
        if let Some(id) = &id
            && let Some(other) = ids.insert(id.clone(), shown.clone())
        {
            bail!("{other} and {shown} both have the `id` {id:?}: give each its own");
        }
        for name in called(&shown) {
            names.entry(name.to_owned()).or_default().insert(loaded.documents.len());
        }
        loaded.bytes += length;
        loaded.add(id.unwrap_or_default(), Some(shown), document, &pages);
    }
    name(&mut loaded.documents, &mut names);
    Ok((loaded, names))
}

/// Names documents by their ids, and else by their files, as shortly as tells each from all others.
fn name(documents: &mut [Doc], names: &mut Names) {
    // A path goes before what another file is called, and an id before both.
    let by_path = documents.iter().map(|doc| doc.file.as_deref().unwrap_or_default());
    let by_id = documents.iter().map(|doc| doc.name.as_str());
    for (at, name) in by_path.enumerate().chain(by_id.enumerate()) {
        if !name.is_empty() {
            names.insert(name.to_owned(), BTreeSet::from([at]));
        }
    }
    for (at, doc) in documents.iter_mut().enumerate().filter(|(_, doc)| doc.name.is_empty()) {
        let file = doc.file.as_deref().unwrap_or_default();
        let is_own =
            |name: &&str| names.get(*name).is_some_and(|of| of.len() == 1 && of.contains(&at));
        doc.name = called(file).into_iter().find(is_own).unwrap_or(file).to_owned();
    }
}

/// A file as the server makes a document of it, or a sentence why not.
fn document(shown: &str, bytes: Vec<u8>) -> Result<Loading, String> {
    let content = Content::File { name: shown.to_owned(), media_type: None, bytes };
    let collection = CollectionName::read(None).map_err(|error| error.to_string())?;
    let (title, metadata, origin) = (None, Vec::new(), Origin::default());
    let source = Source { collection, content, title, metadata, origin };
    let pending = match source.read(&Owner::new(None)).map_err(|error| error.to_string())? {
        Incoming::Ready(loading) => return Ok(*loading),
        Incoming::Page(pending) => pending,
    };
    let page = match pending.wanted() {
        Wanted::Bytes { kind, bytes } => page(*kind, bytes),
        Wanted::Address(_) => Err("it is an address".to_owned()),
    };
    let page = page.map_err(|error| format!("{shown}: {error}"))?;
    pending.read(page).map_err(|error| error.to_string())
}

/// What the server's reader gives of a page that is at hand.
fn page(kind: Kind, bytes: &[u8]) -> Result<PageText, String> {
    let headers = Headers { content_type: kind.media_type(), ..Headers::default() };
    let address =
        url::Url::parse("https://documents.invalid/").map_err(|error| error.to_string())?;
    let wanted = quarry_pages::page::Wanted { extent: Extent::AtHand, ..Default::default() };
    let page = read(&headers, bytes, &address, wanted).map_err(|error| error.to_string())?;
    Ok(PageText {
        markdown: page.markdown,
        media_type: page.media_type,
        pages: page.pages,
        title: page.metadata.title.map(|(title, _)| title),
        published: page.metadata.published.map(|(date, _)| date),
        truncated: page.truncated,
    })
}

/// A line of a file of questions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    #[serde(default)]
    id: Value,
    question: String,
    relevant: Relevant,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "field `relevant` must be an object of grades or a list of names")]
enum Relevant {
    Graded(BTreeMap<String, f64>),
    Named(Vec<String>),
}

fn of_lines(file: &Path, loaded: &Loaded, names: &Names) -> Result<Vec<Question>> {
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let mut questions = Vec::new();
    for (at, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let place = || format!("line {} of {}", at + 1, file.display());
        let Line { id, question, relevant } = serde_json::from_str(line).with_context(place)?;
        let grades = match relevant {
            Relevant::Graded(grades) => grades,
            Relevant::Named(names) => names.into_iter().map(|name| (name, 1.0)).collect(),
        };
        let mut relevant = BTreeMap::new();
        for (name, grade) in grades {
            ensure!(grade.is_finite(), "{}: the grade of {name:?} is no number", place());
            let mut of = names.get(&name).into_iter().flatten();
            let known = of.next().and_then(|at| loaded.documents.get(*at));
            ensure!(
                of.next().is_none(),
                "{}: field `relevant` names {name:?}, and several documents are called so: name it by its path",
                place()
            );
            ensure!(
                known.is_some() || loaded.is_unread(&name),
                "{}: field `relevant` names {name:?}, and no document is called so",
                place()
            );
            relevant.insert(known.map_or(name, |doc| doc.name.clone()), grade);
        }
        let id = if id.is_null() { (at + 1).into() } else { id };
        push(&mut questions, id, question, relevant);
    }
    Ok(questions)
}

/// Keeps a question that something answers.
fn push(to: &mut Vec<Question>, id: Value, text: String, mut relevant: BTreeMap<String, f64>) {
    relevant.retain(|_, grade| *grade > 0.0);
    if !relevant.is_empty() {
        to.push(Question { id, text, relevant });
    }
}

#[derive(Deserialize)]
struct CranfieldDocument {
    id: u64,
    #[serde(default)]
    title: String,
    #[serde(default)]
    body: String,
}

#[derive(Deserialize)]
struct CranfieldQuery {
    id: u64,
    text: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CranfieldGrade {
    query_id: u64,
    doc_id: u64,
    relevance: f64,
}

fn cranfield(folder: &Path) -> Result<Loaded> {
    let mut loaded = Loaded::default();
    for CranfieldDocument { id, title, body } in
        json::<CranfieldDocument>(folder, "documents.json")?
    {
        match Document::read(&format!("{id}.txt"), Format::Text, None, body.as_bytes()) {
            Ok(mut document) => {
                document.entitle(&title);
                loaded.bytes += body.len();
                loaded.add(id.to_string(), None, document, &[]);
            }
            Err(error) => loaded.issues.push(error.to_string()),
        }
    }
    let mut grades: BTreeMap<u64, BTreeMap<String, f64>> = BTreeMap::new();
    for CranfieldGrade { query_id, doc_id, relevance } in json(folder, "qrels.json")? {
        grades.entry(query_id).or_default().insert(doc_id.to_string(), relevance);
    }
    for CranfieldQuery { id, text } in json::<CranfieldQuery>(folder, "queries.json")? {
        push(&mut loaded.questions, id.into(), text, grades.remove(&id).unwrap_or_default());
    }
    Ok(loaded)
}

fn json<T: for<'de> Deserialize<'de>>(folder: &Path, name: &str) -> Result<Vec<T>> {
    let file = folder.join(name);
    let text = fs::read(&file).with_context(|| file.display().to_string())?;
    serde_json::from_slice(&text).with_context(|| file.display().to_string())
}
