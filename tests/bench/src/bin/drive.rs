#![allow(
    clippy::all,
    clippy::restriction,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::expect_used
)]
#[path = "../client.rs"]
#[allow(dead_code)]
mod client;
use quarry_test_provider::{Manner, Script, ScriptedProvider};
use serde_json::json;
use std::io::BufRead;
use std::process::{Command, Stdio};
use std::time::Instant;

fn arg(name: &str) -> Option<String> {
    let mut args = std::env::args();
    args.find(|a| a == name)?;
    args.next()
}
fn has(name: &str) -> bool {
    std::env::args().any(|a| a == name)
}
fn cpu(pid: u32) -> (f64, f64) {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let f: Vec<f64> = stat
        .rsplit_once(')')
        .unwrap()
        .1
        .split_whitespace()
        .skip(11)
        .take(2)
        .map(|x| x.parse().unwrap())
        .collect();
    (f[0] * 10.0, f[1] * 10.0)
}
fn switches(pid: u32) -> u64 {
    std::fs::read_dir(format!("/proc/{pid}/task"))
        .unwrap()
        .map(|e| {
            let s = std::fs::read_to_string(e.unwrap().path().join("status")).unwrap_or_default();
            s.lines()
                .filter_map(|l| l.strip_prefix("voluntary_ctxt_switches:"))
                .map(|v| v.trim().parse::<u64>().unwrap())
                .sum::<u64>()
        })
        .sum()
}
#[tokio::main]
async fn main() {
    let manner = if has("--like-spin") { Manner::AsMet } else { Manner::Prompt };
    let provider = ScriptedProvider::start_as(
        "127.0.0.1:0".parse().unwrap(),
        Script { unrecorded: true, ..Script::ordinary() },
        manner,
    )
    .await
    .unwrap();
    let dir = std::env::temp_dir().join(format!("drive-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let mut cmd = Command::new(arg("--host").unwrap_or("/work/prof/quarry-host".into()));
    let quarry = arg("--quarry").unwrap_or("/work/main/target/quarry".into());
    let manifest =
        std::fs::read_to_string("/work/main/spin.toml").unwrap().replace("target/quarry", &quarry);
    std::fs::write(dir.join("spin.toml"), manifest).unwrap();
    cmd.arg("--manifest")
        .arg(dir.join("spin.toml"))
        .args(["--listen", "127.0.0.1:0", "--state-dir"])
        .arg(&dir)
        .env("SPIN_VARIABLE_OPENAI_BASE_URL", provider.openai_base_url())
        .env("SPIN_VARIABLE_OPENAI_API_KEY", "bench");
    if has("--like-spin") {
        cmd.arg("--like-spin");
    } else {
        cmd.env("SPIN_WASMTIME_LINEAR_MEMORY_KEEP_RESIDENT", "0");
    }
    if has("--count") {
        cmd.arg("--count-calls");
    }
    if arg("--perf").is_some() {
        cmd.env("PERFMAP", "1");
    }
    let mut child = cmd.stdout(Stdio::piped()).spawn().unwrap();
    let pid = child.id();
    let mut lines = std::io::BufReader::new(child.stdout.take().unwrap()).lines();
    let address: std::net::SocketAddr = loop {
        let line = lines.next().unwrap().unwrap();
        if let Some(a) = line.strip_prefix("Serving http://") {
            break a.trim().parse().unwrap();
        }
    };
    let ask = json!({"query": "What is the capacity factor?", "model": "openai:gpt-4o-mini", "max_iterations": 2, "stream": true});
    let target = client::Target::post(address, "/ask", &ask);
    let clients: usize = arg("--clients").map_or(1, |c| c.parse().unwrap());
    let asks: usize = arg("--asks").map_or(200, |c| c.parse().unwrap());
    client::run(&target, clients, 40 * clients).await.unwrap();
    let calls = client::Target::get(address, "/.well-known/spin/host-calls");
    let counts =
        async |t: &client::Target| String::from_utf8(client::once(t).await.unwrap().body).unwrap();
    let before = if has("--count") { counts(&calls).await } else { String::new() };
    let perf = arg("--perf").map(|out| {
        Command::new("perf")
            .args(["record", "-g", "-F", "1500", "-o", &out, "-p", &pid.to_string()])
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    });
    if perf.is_some() {
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    }
    let (c0, s0, t0) = (cpu(pid), switches(pid), Instant::now());
    let mut all = client::run(&target, clients, asks).await.unwrap();
    let (took, c1, s1) = (t0.elapsed(), cpu(pid), switches(pid));
    all.sort_by_key(|m| m.total);
    let n = asks as f64;
    let fb = {
        let mut f: Vec<_> = all.iter().map(|m| m.first_byte).collect();
        f.sort();
        f[asks / 2]
    };
    println!(
        "median {:?} p99 {:?} first {:?}; {:.0}/s; cpu user {:.2} sys {:.2} ms; switches {:.0}",
        all[asks / 2].total,
        all[asks * 99 / 100].total,
        fb,
        n / took.as_secs_f64(),
        (c1.0 - c0.0) / n,
        (c1.1 - c0.1) / n,
        (s1 - s0) as f64 / n
    );
    if has("--count") {
        let after = counts(&calls).await;
        if has("--raw") {
            println!("{after}");
        }
        let parse = |t: &str| -> std::collections::BTreeMap<String, f64> {
            t.lines()
                .map(|l| {
                    let mut w = l.rsplitn(2, '\t');
                    let n = w.next().unwrap().trim().parse().unwrap_or(0.0);
                    (w.next().unwrap_or("").to_owned(), n)
                })
                .collect()
        };
        let (b, a) = (parse(&before), parse(&after));
        let mut total = 0.0;
        for (k, v) in &a {
            let d = (v - b.get(k).unwrap_or(&0.0)) / n;
            total += d;
            println!("{d:8.2} {k}");
        }
        println!("{total:8.2} total");
    }
    if let Some(mut p) = perf {
        Command::new("kill").args(["-INT", &p.id().to_string()]).status().unwrap();
        p.wait().unwrap();
    }
    child.kill().unwrap();
    _ = std::fs::remove_dir_all(dir);
}
