//! `cargo xtask pages`: reads files of HTML with the built `web` component, as it would read them
//! from the web, and writes what it made of them.

mod files;

use crate::alone::Alone;
use anyhow::{Context, Result, bail};
use files::{FileServer, PageFile};
use serde_json::{Value, json};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use xtask::components::Profile;
use xtask::options::pages::Options;

/// Reads the pages.
pub fn run(options: &Options) -> Result<ExitCode> {
    let Options { input, output, profile } = options;
    let pages = files::find(input)?;
    if pages.is_empty() {
        bail!("there is no .html and no .html.gz in {}", input.display());
    }
    std::fs::create_dir_all(output)
        .with_context(|| format!("cannot create {}", output.display()))?;
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(read_all(pages, output, *profile))?;
    Ok(ExitCode::SUCCESS)
}

async fn read_all(pages: Vec<PageFile>, output: &Path, profile: Profile) -> Result<()> {
    let server = FileServer::start(&pages).await?;
    let variables = [
        ("web_allowed_hosts", server.address().to_string()),
        // Files have no robots.txt, and asking for it would be measured.
        ("respect_robots", "false".to_owned()),
    ];
    let web = Alone::start("web", profile, &variables).await?;
    let mut times = Vec::with_capacity(pages.len());
    let mut failed = 0;
    for page in &pages {
        let request = json!({
            "url": server.url(page),
            "timeout_ms": 15_000,
            "max_characters": 1 << 20,
            "with_text": true,
        });
        let from = Instant::now();
        let answer = web.call("/pages/read", &request).await;
        times.push(from.elapsed());
        // A component that crashed on one page still reads the others.
        let result = answer.unwrap_or_else(|error| json!({ "Err": format!("{error:#}") }));
        failed += usize::from(result.get("Ok").is_none());
        write(output, &page.name, result)?;
    }
    report(&mut times, failed, web.peak_memory());
    web.stop().await;
    Ok(())
}

/// Writes the three files of one page; of one that failed only the fields say something.
fn write(output: &Path, name: &str, mut result: Value) -> Result<()> {
    let mut take = |field: &str| match result.pointer_mut(&format!("/Ok/{field}")).map(Value::take)
    {
        Some(Value::String(text)) => text,
        _ => String::new(),
    };
    let (text, markdown) = (take("text"), take("markdown"));
    let fields = match result.get("Ok") {
        Some(page) => {
            let mut fields = page.clone();
            if let Some(fields) = fields.as_object_mut() {
                fields.remove("text");
                fields.remove("markdown");
            }
            fields
        }
        None => json!({ "error": result.get("Err") }),
    };
    for (extension, content) in
        [("txt", text), ("md", markdown), ("json", serde_json::to_string_pretty(&fields)?)]
    {
        let file = output.join(format!("{name}.{extension}"));
        std::fs::write(&file, content)
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

fn report(times: &mut [Duration], failed: usize, memory: usize) {
    times.sort_unstable();
    let at = |percent: usize| {
        let place = (times.len() * percent / 100).min(times.len().saturating_sub(1));
        times.get(place).copied().unwrap_or_default().as_secs_f64() * 1e3
    };
    println!("pages            {}", times.len());
    println!("without text     {failed}");
    println!("median           {:.1} ms", at(50));
    println!("99th percentile  {:.1} ms", at(99));
    println!("longest          {:.1} ms", at(100));
    println!("peak memory      {:.1} MiB", memory as f64 / f64::from(1 << 20));
}
