//! How files travel: several in one request, whose answer tells how far each is, and of each as soon as it is done.
//!
//! Border: `POST /knowledge/documents`; what an answer means for the whole is `load`'s.

use crate::costs::Paid;
use crate::load::Job;
use anyhow::{Context, Error, Result, bail};
use bytes::{Bytes, BytesMut};
use hyper::body::Incoming;
use hyper::{Response, StatusCode};
use memchr::memmem;
use quarry_client::client::Client;
use quarry_client::replies::{self, Frame, Frames, Refused};
use quarry_knowledge::intake::CollectionName;
use quarry_knowledge::library::LibraryError;
use serde::Deserialize;
use std::time::Duration;

/// What is said where an answer is none.
const NO_ANSWER: &str = "the server answers something else than documents";
/// The last event of an answer.
const DONE: &str = "done";
/// Bytes and files of a request. The server takes 32 MiB and 1,000 parts; fewer are told of sooner.
const BYTES: usize = 8 * 1024 * 1024;
const FILES: usize = 200;
/// How often a server may ask for a pause for one batch, and the longest that is kept, in seconds.
pub const PAUSES: u32 = 10;
const PAUSE: u64 = 60;

/// Files that travel together.
#[derive(Debug, Default)]
pub struct Batch {
    files: Vec<(String, Vec<u8>)>,
    bytes: usize,
}

impl Batch {
    /// Whether a file fits that has so many bytes. The first fits always.
    pub fn has_room(&self, bytes: usize) -> bool {
        self.files.is_empty() || (self.files.len() < FILES && self.bytes + bytes <= BYTES)
    }

    pub fn push(&mut self, name: String, bytes: Vec<u8>) {
        self.bytes += bytes.len();
        self.files.push((name, bytes));
    }

    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Name and bytes of each.
    pub fn sizes(&self) -> Vec<(String, u64)> {
        let size = |bytes: &Vec<u8>| u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.files.iter().map(|(name, bytes)| (name.clone(), size(bytes))).collect()
    }

    /// Those at these places alone.
    pub fn only(self, wanted: &[usize]) -> Batch {
        let mut batch = Batch::default();
        for (at, (name, bytes)) in self.files.into_iter().enumerate() {
            if wanted.contains(&at) {
                batch.push(name, bytes);
            }
        }
        batch
    }

    /// As a form with what is said of all its files, and the boundary of its parts.
    fn form(&self, fields: &[(&str, &str)]) -> (Bytes, String) {
        let boundary = self.boundary(fields);
        let mut form = BytesMut::with_capacity(self.bytes + self.files.len() * 256);
        let mut part = |disposition: &str, bytes: &[u8]| {
            let head =
                format!("--{boundary}\r\nContent-Disposition: form-data; {disposition}\r\n\r\n");
            form.extend_from_slice(head.as_bytes());
            form.extend_from_slice(bytes);
            form.extend_from_slice(b"\r\n");
        };
        for (name, said) in fields {
            part(&format!("name=\"{name}\""), said.as_bytes());
        }
        for (name, bytes) in &self.files {
            // As browsers do.
            let name = name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A");
            part(&format!("name=\"file\"; filename=\"{name}\""), bytes);
        }
        form.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
        (form.freeze(), boundary)
    }

    /// One that stands in no file, and in nothing that is said of them.
    fn boundary(&self, fields: &[(&str, &str)]) -> String {
        let mut number = 0_u64;
        loop {
            let boundary = format!("quarry-{number}");
            let finder = memmem::Finder::new(&boundary);
            let files = self.files.iter().map(|(_, bytes)| bytes.as_slice());
            let mut all = files.chain(fields.iter().map(|(_, said)| said.as_bytes()));
            if all.all(|bytes| finder.find(bytes).is_none()) {
                return boundary;
            }
            number += 1;
        }
    }
}

/// What became of a file.
#[derive(Debug, PartialEq, Eq)]
pub enum Change {
    Added,
    Replaced,
    Unchanged,
    /// It is not loaded: why, and what to do.
    Failed(String),
}

/// What the server says of a file.
#[derive(Debug, PartialEq)]
pub struct Answer {
    pub change: Change,
    /// The document's, where it is loaded.
    pub id: Option<String>,
    /// What could not be read of it, or is not kept.
    pub notes: Vec<String>,
    /// What is to be said of its collection: the same for others.
    pub of_all: Vec<String>,
    /// What its vectors cost, also where it is not loaded; none: no model embeds, or nothing was paid.
    pub paid: Option<Paid>,
    /// Seconds behind which it may be sent again, where it was not loaded; none: that would not help.
    pub again: Option<u64>,
}

/// How far a file is while a model makes its vectors, or a long one is indexed without any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Far {
    /// Passages that have theirs, or are indexed.
    pub done: u64,
    /// How many there are.
    pub chunks: u64,
}

/// What is heard of a batch.
#[derive(Debug, PartialEq)]
pub enum Heard {
    /// The next file is so far.
    Far(Far),
    /// The next file is done.
    Answer(Answer),
    /// The server wants a pause of so many seconds.
    Waits(u64),
}

/// Sends batches to one server.
pub struct Sender {
    client: Client,
    url: String,
    collection: Option<String>,
    origin: String,
    replace: bool,
    authorization: Option<String>,
}

impl Sender {
    /// For files that come from this place.
    pub fn new(job: &Job, origin: String) -> Sender {
        Sender {
            client: Client::pooled(),
            url: job.url.trim_end_matches('/').to_owned(),
            collection: job.collection.clone(),
            origin,
            replace: job.replace,
            authorization: job.secret.as_ref().map(|secret| format!("Bearer {secret}")),
        }
    }

    fn headers(&self) -> Vec<(&str, &str)> {
        let authorization = self.authorization.as_deref();
        authorization.map(|secret| ("authorization", secret)).into_iter().collect()
    }

    /// What is said of all files.
    fn fields(&self) -> Vec<(&str, &str)> {
        let collection = self.collection.as_deref().map(|name| ("collection", name));
        let replace = self.replace.then_some(("replace", "true"));
        collection.into_iter().chain([("origin", self.origin.as_str())]).chain(replace).collect()
    }

    /// Whether a server answers, lets us in, keeps documents, and knows such a name for a collection: one refusal
    /// instead of one for each file.
    pub async fn check(&self) -> Result<()> {
        let mut address = format!("{}/knowledge/documents?limit=1", self.url);
        if let Some(name) = &self.collection {
            let name = CollectionName::read(Some(name)).map_err(LibraryError::from)?;
            address += &format!("&collection={}", name.as_str());
        }
        let response = match self.client.get(&address, &self.headers()).await {
            Ok(response) => response,
            Err(why) => bail!(
                "no Quarry answers at {url}: {why:#}\nhint: start one with `cargo xtask up`, or name another: \
                 `cargo xtask ingest … --url http://…`",
                url = self.url
            ),
        };
        match replies::text(response).await {
            Ok(_) => Ok(()),
            // It comes into being with its first document.
            Err(error) => match error.downcast_ref::<Refused>() {
                Some(refused)
                    if refused.status == StatusCode::NOT_FOUND && self.collection.is_some() =>
                {
                    Ok(())
                }
                Some(refused) if refused.status == StatusCode::UNAUTHORIZED => Err(error)
                    .context("the server lets us not in; set ACCESS_SECRET to its access secret"),
                _ => Err(error),
            },
        }
    }

    /// Sends a batch and hears of each of its files, in their order.
    pub async fn send(&self, batch: &Batch, hear: &mut dyn FnMut(Heard)) -> Result<()> {
        let files = batch.files.len();
        let (form, boundary) = batch.form(&self.fields());
        let kind = format!("multipart/form-data; boundary={boundary}");
        let mut headers = self.headers();
        headers.extend([("content-type", kind.as_str()), ("accept", "text/event-stream")]);
        let address = format!("{}/knowledge/documents", self.url);
        let mut pauses = 0;
        let response = loop {
            let response = self.client.post_bytes(&address, &headers, form.clone()).await?;
            let Some(seconds) = pause(&response).filter(|_| pauses < PAUSES) else {
                break response;
            };
            pauses += 1;
            hear(Heard::Waits(seconds));
            tokio::time::sleep(Duration::from_secs(seconds)).await;
        };
        if !response.status().is_success() {
            return replies::text(response).await.map(drop);
        }
        let Some(frames) = Frames::of(response).await? else { bail!(NO_ANSWER) };
        let (answered, end) = answers(frames, hear).await?;
        if answered < files {
            let end = end.behind(answered, files);
            bail!("{end}; begin again: what is there already is not loaded twice");
        }
        Ok(())
    }
}

/// Seconds that a server that is busy wants to be left alone.
fn pause(response: &Response<Incoming>) -> Option<u64> {
    let busy = [StatusCode::TOO_MANY_REQUESTS, StatusCode::SERVICE_UNAVAILABLE];
    let after = response.headers().get("retry-after").filter(|_| busy.contains(&response.status()));
    after?.to_str().ok()?.trim().parse().ok().filter(|seconds| *seconds <= PAUSE)
}

/// What becomes of a file.
#[derive(Deserialize)]
struct Outcome {
    change: String,
    error: Option<String>,
    #[serde(default)]
    document: Kept,
    embedding: Option<Paid>,
    #[serde(default)]
    notes: Vec<String>,
    retry_after: Option<u64>,
}

#[derive(Default, Deserialize)]
struct Kept {
    id: Option<String>,
    #[serde(default)]
    notes: Vec<String>,
}

impl From<Outcome> for Answer {
    fn from(outcome: Outcome) -> Answer {
        let Outcome { change, error, document, embedding: paid, notes: of_all, retry_after } =
            outcome;
        let change = match (change.as_str(), error) {
            ("added", _) => Change::Added,
            ("replaced", _) => Change::Replaced,
            ("unchanged", _) => Change::Unchanged,
            (_, why) => Change::Failed(why.unwrap_or_default()),
        };
        let again = retry_after.filter(|seconds| *seconds <= PAUSE);
        let Kept { id, notes } = document;
        Answer { change, id, notes, of_all, paid, again }
    }
}

/// How an answer ended.
enum End {
    /// The server said so.
    Done,
    /// It did not, and the connection says why; none: it ended as one does.
    Broken(Option<hyper::Error>),
}

impl End {
    /// What is said of one that ended before its last file.
    fn behind(self, answered: usize, files: usize) -> String {
        match self {
            End::Done => format!("the server told of {answered} of {files} files and was done"),
            End::Broken(why) => {
                let why = why.map(|why| format!(" ({:#})", Error::from(why))).unwrap_or_default();
                format!("the connection broke behind {answered} of {files} files{why}")
            }
        }
    }
}

/// Hears the events of an answer; says how many files they told of. Nothing is waited for behind the last event: what is
/// between us and the server may hold the connection open.
async fn answers(mut frames: Frames, hear: &mut dyn FnMut(Heard)) -> Result<(usize, End)> {
    let mut count = 0;
    while let Some(frame) = frames.next().await.with_context(|| format!("behind {count} files"))? {
        if frame.name == DONE {
            return Ok((count, End::Done));
        }
        let Some(heard) = heard(&frame)? else { continue };
        count += usize::from(matches!(heard, Heard::Answer(_)));
        hear(heard);
    }
    Ok((count, End::Broken(frames.why_broken())))
}

/// What an event tells; none: nothing of a file.
fn heard(frame: &Frame) -> Result<Option<Heard>> {
    Ok(match frame.name.as_str() {
        "progress" => Some(Heard::Far(serde_json::from_str(&frame.data).context(NO_ANSWER)?)),
        "document" => {
            let outcome: Outcome = serde_json::from_str(&frame.data).context(NO_ANSWER)?;
            Some(Heard::Answer(outcome.into()))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;
    use std::path::PathBuf;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    const ONE: &str = "event: document\ndata: {\"name\":\"a.md\",\"change\":\"added\"}\n\n";
    const ALL: &str = "event: done\ndata: {}\n\n";

    /// How two files fare with a server that answers these events, and behind them holds the connection open or not.
    async fn sent(events: &str, stays: bool) -> Result<()> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let job = Job {
            path: PathBuf::new(),
            url: format!("http://{}", listener.local_addr()?),
            collection: None,
            secret: None,
            origin: None,
            replace: false,
        };
        let mut batch = Batch::default();
        ["a.md", "b.md"].into_iter().for_each(|name| batch.push(name.to_owned(), b"# A".to_vec()));
        let answer = async {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = Vec::new();
            while !request.ends_with(b"--quarry-0--\r\n") {
                assert_ne!(stream.read_buf(&mut request).await.unwrap(), 0, "{request:?}");
            }
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\
                        transfer-encoding: chunked\r\n\r\n";
            let answer = format!("{head}{:x}\r\n{events}\r\n", events.len());
            stream.write_all(answer.as_bytes()).await.unwrap();
            let _held = stays.then_some(stream);
            std::future::pending::<Infallible>().await
        };
        let (sender, mut hear) = (Sender::new(&job, "here".to_owned()), |_: Heard| {});
        tokio::select! {
            sent = sender.send(&batch, &mut hear) => sent,
            never = answer => match never {},
        }
    }

    #[tokio::test]
    async fn a_connection_that_breaks_off_says_why() {
        let why = sent(ONE, false).await.unwrap_err().to_string();
        let begins =
            "the connection broke behind 1 of 2 files (error reading a body from connection: ";
        assert!(why.starts_with(begins), "{why}");
        let ends = "); begin again: what is there already is not loaded twice";
        assert!(why.ends_with(ends), "{why}");
    }

    #[tokio::test]
    async fn nothing_is_read_behind_the_end_of_an_answer() {
        // Whoever reads on meets an event that is none.
        let behind = "event: document\ndata: no\n\n";
        sent(&format!("{ONE}{ONE}{ALL}{behind}"), true).await.unwrap();
        let why = sent(&format!("{ONE}{ALL}{behind}"), true).await.unwrap_err().to_string();
        assert!(why.starts_with("the server told of 1 of 2 files and was done; "), "{why}");
    }

    #[test]
    fn a_batch_has_an_end_and_its_first_file_always_fits() {
        let mut batch = Batch::default();
        assert!(batch.is_empty() && batch.has_room(20 << 20));
        batch.push("a".into(), vec![0; BYTES - 1]);
        assert!(batch.has_room(1) && !batch.has_room(2));
        let mut many = Batch::default();
        (0..FILES).for_each(|at| many.push(at.to_string(), Vec::new()));
        assert!(!many.has_room(0));
        assert_eq!(batch.sizes(), [("a".to_owned(), (BYTES - 1) as u64)]);
    }

    #[test]
    fn an_event_is_what_became_of_a_file_or_how_far_it_is_and_others_are_passed_over() {
        let told = |name: &str, data: &str| {
            heard(&Frame { id: String::new(), name: name.into(), data: data.into() })
        };
        let far = told("progress", r#"{"name":"a.md","done":64,"chunks":100}"#).unwrap();
        assert_eq!(far, Some(Heard::Far(Far { done: 64, chunks: 100 })));
        let failed = r#"{"name":"a.md","change":"failed","error":"too many","retry_after":3}"#;
        let Some(Heard::Answer(answer)) = told("document", failed).unwrap() else { panic!() };
        assert_eq!(answer.change, Change::Failed("too many".into()));
        assert_eq!(answer.again, Some(3));
        assert_eq!(told(DONE, r#"{"loaded":1}"#).unwrap(), None);
        assert!(told("document", "{}").is_err() && told("progress", "no").is_err());
    }

    #[test]
    fn no_file_can_end_its_part() {
        let mut batch = Batch::default();
        batch.push("a\"b.md".into(), b"\r\n--quarry-0--\r\nquarry-1".to_vec());
        let (form, boundary) = batch.form(&[("collection", "notes"), ("origin", "/quarry-2")]);
        assert_eq!(boundary, "quarry-3");
        let form = String::from_utf8(form.to_vec()).unwrap();
        assert_eq!(form.matches("--quarry-3").count(), 4);
        assert!(form.contains("name=\"collection\"\r\n\r\nnotes\r\n"));
        assert!(form.contains("name=\"file\"; filename=\"a%22b.md\"\r\n\r\n\r\n--quarry-0--"));
        assert!(form.ends_with("--quarry-3--\r\n"));
    }
}
