//! A library of documents: how fast it is loaded, how fast a question finds its chunks, and what memory it takes: the
//! host's, and the component's own.

use crate::arguments::Arguments;
use crate::chance::Chance;
use crate::client::{self, Target};
use crate::host::{Host, Kept};
use crate::report::Report;
use anyhow::{Context as _, Result, ensure};
use quarry_test_provider::{Match, Phase, Reply, Script, ScriptedProvider};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// Sections of a document, and words of one: no two of them fit into one chunk.
const SECTIONS: usize = 50;
const WORDS: usize = 110;
/// Words that there are. A word of rank r is met as often as 1/r says, about.
const VOCABULARY: u64 = 30_000;
/// Bytes of a request.
const BATCH: usize = 4 * 1024 * 1024;
/// Questions that are measured, and words of one.
const QUESTIONS: usize = 60;
const ASKED: usize = 6;
const BOUNDARY: &str = "quarry-bench-boundary";
/// The component that knowledge is a part of.
const COMPONENT: &str = "quarry";
/// Longer than an instance stays without work: who comes then meets a new one.
const IDLE: Duration = Duration::from_secs(3);

/// Questions that begin at once on an instance that has not read the index.
const AT_ONCE: usize = 8;
/// Numbers of a vector, as `text-embedding-3-small` has them.
const DIMENSION: usize = 1_536;
/// US dollars: more than any library costs.
const MAX_COST: &str = "1000";

/// Questions at once on a host that has not read the index.
#[derive(Debug)]
pub struct AtOnce {
    /// How many there were.
    pub questions: usize,
    /// How long each took.
    pub took: Vec<Duration>,
    /// The component's linear memory meanwhile: the largest of its memories, and of all of an instance.
    pub memory: [usize; 2],
    /// Resident memory of the host behind them, in bytes.
    pub resident: Option<f64>,
}

/// What was measured of a library.
#[derive(Debug)]
pub struct Library {
    /// Numbers of a vector of a provider's model; none: meaning is what its own words tell.
    pub dimension: Option<usize>,
    /// Questions that began at once.
    pub at_once: AtOnce,
    /// As the server counts them.
    pub chunks: u64,
    /// Bytes of Markdown.
    pub bytes: usize,
    /// How long it took to load them.
    pub loading: Duration,
    /// The first question to a new instance, which reads the index.
    pub first: Duration,
    /// Those behind it.
    pub questions: Vec<Duration>,
    /// A look at the list of documents: what the host and the database take for anything.
    pub floor: Vec<Duration>,
    /// Resident memory in bytes before the load, behind it, and behind the questions.
    pub resident: [Option<f64>; 3],
    /// How long it took to make its index anew.
    pub reindex: Duration,
    /// The component's linear memory while it loads, while it is questioned, and while its index is made anew: the most
    /// bytes of the largest of its memories, and of all of an instance.
    pub memory: [[usize; 2]; 3],
}

/// Measures libraries of these sizes, each on a host of its own.
pub async fn measure(arguments: &Arguments, report: &mut Report) -> Result<()> {
    let Arguments { program, manifest, plan, .. } = arguments;
    let embeds =
        Script::ordinary().always(Match::Phase(Phase::Embedding), Reply::embeddings(DIMENSION));
    let provider = ScriptedProvider::start(embeds).await?;
    let url = provider.openai_base_url();
    for chunks in plan.libraries {
        let host = program.quarry(manifest, &url, Kept::unless(program)).await?;
        report.documents(&measured(&host, chunks, None).await?);
    }
    let [_, most] = plan.libraries;
    let mut variables = vec![
        ("SPIN_VARIABLE_OPENAI_BASE_URL", url.as_str()),
        ("SPIN_VARIABLE_OPENAI_API_KEY", "bench"),
        ("SPIN_VARIABLE_EMBEDDING_MODEL", "openai:text-embedding-3-small"),
        ("SPIN_VARIABLE_EMBEDDING_MAX_COST", MAX_COST),
    ];
    variables.extend(Kept::unless(program).variables());
    let host = program.serving(manifest, tempfile::tempdir()?, &variables).await?;
    report.documents(&measured(&host, most, Some(DIMENSION)).await?);
    Ok(())
}

async fn measured(host: &Host, chunks: usize, dimension: Option<usize>) -> Result<Library> {
    let mut drawn = Drawn::new();
    let list = Target::get(host.address, "/knowledge/documents?limit=1");
    client::once(&list).await?;
    let before = host.resident();
    let (mut bytes, mut loading) = (0, Duration::ZERO);
    let mut batch = String::new();
    let documents = chunks.div_ceil(SECTIONS);
    for number in 0..documents {
        let markdown = document(number, &mut drawn);
        bytes += markdown.len();
        batch += &part(&format!("{number}.md"), &markdown);
        if batch.len() >= BATCH || number + 1 == documents {
            loading += load(host, &std::mem::take(&mut batch)).await?;
        }
    }
    let loaded = host.resident();
    let stats = Target::get(host.address, "/knowledge/collections/default/stats");
    let stats: Value = serde_json::from_slice(&client::once(&stats).await?.body)?;
    let chunks = stats.get("chunks").and_then(Value::as_u64).context("no count of chunks")?;
    let while_loading = host.memory(COMPONENT).await?;
    tokio::time::sleep(IDLE).await;
    let first = ask(host, &mut drawn).await?;
    let (mut questions, mut floor) = (Vec::new(), Vec::new());
    for _ in 0..QUESTIONS {
        questions.push(ask(host, &mut drawn).await?);
        floor.push(client::once(&list).await?.total);
    }
    let resident = [before, loaded, host.resident()];
    let while_questioned = host.memory(COMPONENT).await?;
    tokio::time::sleep(IDLE).await;
    let at_once = at_once(host, &mut drawn).await?;
    let reindex = reindex(host).await?;
    let memory = [while_loading, while_questioned, host.memory(COMPONENT).await?];
    Ok(Library {
        dimension,
        at_once,
        chunks,
        bytes,
        loading,
        first,
        questions,
        floor,
        resident,
        reindex,
        memory,
    })
}

/// Questions that begin at once, of words that were not asked for yet.
async fn at_once(host: &Host, drawn: &mut Drawn) -> Result<AtOnce> {
    host.memory(COMPONENT).await?;
    let mut under_way = JoinSet::new();
    for _ in 0..AT_ONCE {
        let target = question(host, drawn);
        under_way.spawn(async move { client::once(&target).await });
    }
    let mut took = Vec::new();
    while let Some(answer) = under_way.join_next().await {
        took.push(answer??.total);
    }
    let (memory, resident) = (host.memory(COMPONENT).await?, host.resident());
    Ok(AtOnce { questions: AT_ONCE, took, memory, resident })
}

async fn reindex(host: &Host) -> Result<Duration> {
    let target = Target::get(host.address, "/knowledge/collections/default/reindex")
        .sending(String::new().into(), "application/json".to_owned())
        .accepting("application/json");
    Ok(client::once(&target).await?.total)
}

/// A file of a request.
pub fn part(name: &str, content: &str) -> String {
    format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n{content}\r\n"
    )
}

/// Loads files; how long it took.
pub async fn load(host: &Host, parts: &str) -> Result<Duration> {
    let kind = format!("multipart/form-data; boundary={BOUNDARY}");
    let target = Target::get(host.address, "/knowledge/documents")
        .sending(format!("{parts}--{BOUNDARY}--\r\n").into(), kind);
    let begun = Instant::now();
    let answer = client::once(&target).await?;
    let took = begun.elapsed();
    let told = String::from_utf8(answer.body)?;
    ensure!(told.contains("\"failed\":0}"), "documents were refused: {told:.400}");
    Ok(took)
}

async fn ask(host: &Host, drawn: &mut Drawn) -> Result<Duration> {
    Ok(client::once(&question(host, drawn)).await?.total)
}

fn question(host: &Host, drawn: &mut Drawn) -> Target {
    let query: Vec<String> = (0..ASKED).map(|_| drawn.word()).collect();
    let body = json!({ "query": query.join(" ") });
    Target::post(host.address, "/knowledge/search", &body)
}

fn document(number: usize, drawn: &mut Drawn) -> String {
    let mut text = format!("# Document {number} on {}\n", drawn.word());
    for _ in 0..SECTIONS {
        text += &format!("\n## {} {}\n\n", drawn.word(), drawn.word());
        for at in 1..=WORDS {
            text += &drawn.word();
            text += if at % 12 == 0 { ". " } else { " " };
        }
        text.push('\n');
    }
    text
}

/// Words that are the same in each run.
pub struct Drawn(Chance);

impl Drawn {
    pub fn new() -> Drawn {
        Drawn(Chance::of(0x5eed))
    }

    /// A word by its rank; low ranks come often.
    pub fn word(&mut self) -> String {
        #[expect(clippy::cast_precision_loss, reason = "53 bits are enough")]
        let part = (self.0.number() >> 11) as f64 / (1_u64 << 53) as f64;
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        let rank = (VOCABULARY as f64).powf(part);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 to 30,000")]
        let mut rank = rank as u64;
        let mut word = String::new();
        // Syllables, so that stems differ as words do.
        for syllables in
            ["ba", "ke", "lo", "mi", "nu", "pra", "sto", "tri", "vel", "zo"].iter().cycle()
        {
            word += syllables;
            word.push(char::from(b'a' + u8::try_from(rank % 23).unwrap_or_default()));
            rank /= 23;
            if rank == 0 {
                return word;
            }
        }
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_the_same_in_each_run_and_their_sections_are_chunks() {
        let one = document(7, &mut Drawn::new());
        assert_eq!(one, document(7, &mut Drawn::new()));
        assert_eq!(one.matches("\n## ").count(), SECTIONS);
        let per_section = one.len() / SECTIONS;
        assert!((500..1_000).contains(&per_section), "{per_section}");
    }
}
