//! A large PDF file, as word processors write one: what it takes to load, beside its text as Markdown.

use crate::arguments::Arguments;
use crate::client::{self, Target};
use crate::host::{Host, Kept};
use crate::knowledge::{self, Drawn};
use crate::report::{MIB, Report, milliseconds, ratio};
use anyhow::{Result, ensure};
use quarry_test_provider::{Script, ScriptedProvider};
use std::fmt::Write as _;
use std::time::Duration;

/// Lines of a page, and words of one.
const LINES: usize = 50;
const WORDS: usize = 9;
/// The component that reads pages.
const READER: &str = "web";

/// Measures a file and its text, each on a host of its own.
pub async fn measure(arguments: &Arguments, report: &mut Report) -> Result<()> {
    let Arguments { program, manifest, plan, .. } = arguments;
    let provider = ScriptedProvider::start(Script::ordinary()).await?;
    let url = provider.openai_base_url();
    let mut drawn = Drawn::new();
    let texts: Vec<Vec<String>> = (0..plan.paper).map(|_| page(&mut drawn)).collect();
    let file = file(&texts);
    let markdown: Vec<String> = texts.iter().map(|lines| lines.join("\n")).collect();
    let markdown = markdown.join("\n\n");
    let bytes = [file.len(), markdown.len()];
    let host = program.quarry(manifest, &url, Kept::unless(program)).await?;
    let from_file = load(&host, "paper.pdf", &file).await?;
    let [memory, _] = host.memory(READER).await?;
    drop(host);
    let host = program.quarry(manifest, &url, Kept::unless(program)).await?;
    let loading = [from_file, load(&host, "paper.md", &markdown).await?];
    ensure!(memory > bytes[0], "the file was not read by {READER}");
    tell(report, texts.len(), bytes, loading, memory);
    Ok(())
}

/// Bytes and times are those of the file, and of its text.
#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
fn tell(
    report: &mut Report,
    pages: usize,
    bytes: [usize; 2],
    loading: [Duration; 2],
    memory: usize,
) {
    let [file, text] = bytes.map(|bytes| bytes as f64);
    let name = format!("knowledge: a PDF file of {pages} pages and {:.1} MB", file / 1e6);
    report.row(
        &format!("{name}: loading"),
        format!(
            "{} ({:.2} × its text as {:.1} MB of Markdown, {})",
            milliseconds(loading[0]),
            ratio(loading[0], loading[1]),
            text / 1e6,
            milliseconds(loading[1]),
        ),
    );
    report.row(
        &format!("{name}: linear memory of the component that reads it, highest"),
        format!("{:.0} MiB ({:.1} × its bytes)", memory as f64 / MIB, memory as f64 / file),
    );
}

async fn load(host: &Host, name: &str, content: &str) -> Result<Duration> {
    client::once(&Target::get(host.address, "/knowledge/documents?limit=1")).await?;
    knowledge::load(host, &knowledge::part(name, content)).await
}

fn page(drawn: &mut Drawn) -> Vec<String> {
    let mut line = || {
        let words: Vec<String> = (0..WORDS).map(|_| drawn.word()).collect();
        words.join(" ") + "."
    };
    (0..LINES).map(|_| line()).collect()
}

/// A file whose font has codes of two bytes, and says what they write.
fn file(pages: &[Vec<String>]) -> String {
    let first = 6;
    let kids: String = (0..pages.len()).map(|at| format!("{} 0 R ", first + 2 * at)).collect();
    let letters: String = (0x20..0x7F).map(|code| format!("<{code:04X}> <{code:04X}>\n")).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Kids [{kids}] /Count {} >>", pages.len()),
        "<< /Type /Font /Subtype /Type0 /BaseFont /AAAAAA+Font /Encoding /Identity-H /DescendantFonts [4 0 R] \
         /ToUnicode 5 0 R >>"
            .to_owned(),
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /AAAAAA+Font /CIDSystemInfo << /Registry (Adobe) /Ordering \
         (Identity) /Supplement 0 >> /DW 500 /W [32 126 480] >>"
            .to_owned(),
        stream(&format!("95 beginbfchar\n{letters}endbfchar\n")),
    ];
    for (at, lines) in pages.iter().enumerate() {
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {} 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
            first + 2 * at + 1
        ));
        let mut content = "BT /F1 11 Tf 72 740 Td".to_owned();
        for line in lines {
            let codes: String = line.bytes().map(|letter| format!("{letter:04X}")).collect();
            content += &format!(" [<{codes}>] TJ 0 -14 Td\n");
        }
        objects.push(stream(&(content + "ET")));
    }
    let mut out = "%PDF-1.7\n".to_owned();
    let mut places = String::new();
    for (at, object) in objects.iter().enumerate() {
        _ = writeln!(places, "{:010} 00000 n ", out.len());
        _ = write!(out, "{} 0 obj\n{object}\nendobj\n", at + 1);
    }
    let (table, size) = (out.len(), objects.len() + 1);
    out + &format!(
        "xref\n0 {size}\n0000000000 65535 f \n{places}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF"
    )
}

fn stream(content: &str) -> String {
    format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_a_page_for_each_text_and_lies_where_its_table_says() {
        let mut drawn = Drawn::new();
        let texts = [page(&mut drawn), page(&mut drawn)];
        let file = file(&texts);
        assert_eq!((file.matches("/Type /Page ").count(), texts[0].len()), (2, LINES));
        let table = file.find("xref\n").unwrap();
        assert!(file.ends_with(&format!("startxref\n{table}\n%%EOF")));
        for (at, line) in file[table..].lines().skip(3).take(9).enumerate() {
            let place: usize = line[..10].parse().unwrap();
            assert!(file[place..].starts_with(&format!("{} 0 obj\n", at + 1)), "{line}");
        }
    }
}
