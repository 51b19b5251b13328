//! Readers that stop reading and clients that leave: what the host's memory keeps of them.

use crate::host::{Host, Kept, Program};
use crate::report::Report;
use anyhow::{Context, Result, bail};
use quarry_test_provider::{Match, Phase, Reply, Script, ScriptedProvider, Split};
use serde_json::json;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;

/// Pieces of an answer, and the bytes of each.
const PIECES: usize = 50;
const PIECE: usize = 20_000;

/// How many clients.
#[derive(Debug, Clone, Copy)]
pub struct Crowd {
    /// Who read the first event and then no more.
    pub stuck: usize,
    /// Who leave at the first event, in each of two rounds.
    pub leaving: usize,
}

/// Measures both, each on a host of its own.
pub async fn measure(
    program: &Program,
    manifest: &Path,
    crowd: Crowd,
    report: &mut Report,
) -> Result<()> {
    let word = format!("{} ", "w".repeat(PIECE - 1));
    let answer = Reply::text(word.repeat(PIECES)).pieces_of(PIECE).split(Split::Frames);
    let script = Script::ordinary().first_always(Match::Phase(Phase::Synthesis), answer);
    let provider = ScriptedProvider::start(Script { unrecorded: true, ..script }).await?;
    let url = provider.openai_base_url();
    let start = || program.quarry(manifest, &url, Kept::unless(program));

    let quarry = start().await?;
    drop(begin(quarry.address, 1).await?);
    quiet(&quarry).await?;
    let before = quarry.resident();
    let streams = begin(quarry.address, crowd.stuck).await?;
    quiet(&quarry).await?;
    let held = quarry.resident();
    report.crowd("readers that stop at the first event of 1 MB", crowd.stuck, before.zip(held));
    drop((streams, quarry));

    let quarry = start().await?;
    drop(begin(quarry.address, 1).await?);
    quiet(&quarry).await?;
    let before = quarry.resident();
    for round in ["", ", and as many again"] {
        drop(begin(quarry.address, crowd.leaving).await?);
        quiet(&quarry).await?;
        let what = format!("clients that leave at the first event of 1 MB{round}");
        report.crowd(&what, crowd.leaving, before.zip(quarry.resident()));
    }
    Ok(())
}

/// So many asks at once, each read until its first event.
async fn begin(address: SocketAddr, count: usize) -> Result<Vec<TcpStream>> {
    let mut asks = JoinSet::new();
    for _ in 0..count {
        asks.spawn(ask(address));
    }
    asks.join_all().await.into_iter().collect()
}

async fn ask(address: SocketAddr) -> Result<TcpStream> {
    let body = json!({
        "query": "What is long?", "model": "openai:gpt-4o-mini", "max_iterations": 2, "stream": true
    });
    let body = body.to_string();
    let length = body.len();
    let head = format!("POST /ask HTTP/1.0\r\nhost: {address}\r\ncontent-length: {length}\r\n\r\n");
    let socket = TcpSocket::new_v4()?;
    // What the system takes on a reader's behalf is not the host's.
    socket.set_recv_buffer_size(4_096)?;
    let mut stream = socket.connect(address).await?;
    stream.write_all((head + &body).as_bytes()).await?;
    let (mut seen, mut chunk) = (Vec::new(), [0; 256]);
    while !seen.windows(6).any(|window| window == b"event:") {
        match stream.read(&mut chunk).await? {
            0 => bail!("no event came: {}", String::from_utf8_lossy(&seen)),
            read => seen.extend_from_slice(chunk.get(..read).unwrap_or_default()),
        }
    }
    Ok(stream)
}

/// Waits until the host has nothing left to do.
async fn quiet(host: &Host) -> Result<()> {
    let used = || host.processor_time().context("the system does not tell processor time");
    let mut last = used()?;
    for _ in 0..120 {
        tokio::time::sleep(Duration::from_secs(2)).await;
        let now = used()?;
        // An instance ends after a second without work; followers look a few times a second.
        if now - last < 0.3 {
            return Ok(());
        }
        last = now;
    }
    bail!("the host does not come to rest")
}
