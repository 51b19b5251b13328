//! The host as a program: serves a manifest until it is interrupted.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people at a terminal")]

use std::net::SocketAddr;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use quarry_host::{Host, HostBuilder, KEEP_RESIDENT};
use tokio::signal::unix::{SignalKind, signal};

const USAGE: &str = "usage: quarry-host [--manifest spin.toml] [--listen 127.0.0.1:3000]
                   [--runtime-config runtime-config.toml] [--state-dir .spin]
                   [--cache-dir target/host-cache] [--like-spin] [--count-calls]
--like-spin: no TCP_NODELAY, bodies apart from heads, a span for each call to the host.
--count-calls: GET /.well-known/spin/host-calls tells them, and …/peak-memory the most bytes of linear memory since
it was last asked, by component: in one memory, in all of an instance; --like-spin has that too.
Variables come from SPIN_VARIABLE_<NAME>; SPIN_WASMTIME_LINEAR_MEMORY_KEEP_RESIDENT is as in Spin.";

#[tokio::main]
async fn main() -> Result<()> {
    let Some(builder) = parse(std::env::args().skip(1))? else {
        println!("{USAGE}");
        return Ok(());
    };
    let mut builder = builder.variables_from_env();
    if let Some(file) = std::env::var_os("SSL_CERT_FILE") {
        builder = builder.certificates(file);
    }
    if let Ok(bytes) = std::env::var(KEEP_RESIDENT) {
        let bytes =
            bytes.parse().with_context(|| format!("{KEEP_RESIDENT}={bytes} is no number"))?;
        builder = builder.keep_resident(bytes);
    }
    let host = builder.start().await?;
    // Whoever knows the address may interrupt.
    let mut interrupts = signal(SignalKind::interrupt())?;
    println!("Serving {}", host.url());
    interrupts.recv().await;
    host.shutdown().await;
    Ok(())
}

/// `None` asks for the usage.
fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Option<HostBuilder>> {
    let mut manifest = PathBuf::from("spin.toml");
    let mut listen = SocketAddr::from(([127, 0, 0, 1], 3000));
    let (mut runtime_config, mut state_dir, mut cache_dir) = (None, None, None);
    let (mut like_spin, mut count_calls) = (false, false);
    while let Some(name) = arguments.next() {
        match &*name {
            "--help" | "-h" => return Ok(None),
            "--like-spin" => {
                like_spin = true;
                continue;
            }
            "--count-calls" => {
                count_calls = true;
                continue;
            }
            _ => {}
        }
        let known = ["--manifest", "--listen", "--runtime-config", "--state-dir", "--cache-dir"];
        if !known.contains(&&*name) {
            bail!("unknown argument {name}\n{USAGE}");
        }
        let value = arguments.next().with_context(|| format!("{name} wants a value\n{USAGE}"))?;
        match &*name {
            "--manifest" => manifest = value.into(),
            "--cache-dir" => cache_dir = Some(value),
            "--runtime-config" => runtime_config = Some(value),
            "--state-dir" => state_dir = Some(value),
            _ => {
                listen = value.parse().with_context(|| {
                    format!("--listen {value} is no address such as 127.0.0.1:3000")
                })?;
            }
        }
    }
    let mut builder =
        Host::builder(manifest).listen(listen).like_spin(like_spin).count_calls(count_calls);
    if let Some(file) = runtime_config {
        builder = builder.runtime_config(file);
    }
    if let Some(directory) = state_dir {
        builder = builder.state_dir(directory);
    }
    if let Some(directory) = cache_dir {
        builder = builder.cache_dir(directory);
    }
    Ok(Some(builder))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_all(arguments: &[&str]) -> Result<Option<HostBuilder>> {
        parse(arguments.iter().map(|argument| argument.to_string()))
    }

    #[test]
    fn arguments_are_read_or_refused() {
        assert!(parse_all(&[]).unwrap().is_some());
        assert!(parse_all(&["--listen", "127.0.0.1:0", "--state-dir", "s"]).unwrap().is_some());
        assert!(parse_all(&["--like-spin", "--count-calls"]).unwrap().is_some());
        assert!(parse_all(&["--help"]).unwrap().is_none());
        for bad in [&["--listen"][..], &["--listen", "x"], &["--port", "1"], &["spin.toml"]] {
            assert!(parse_all(bad).is_err(), "{bad:?}");
        }
    }
}
