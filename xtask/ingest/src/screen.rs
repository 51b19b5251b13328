//! What a person sees of a load: a bar on a terminal, lines in a pipe, and what became of all at the end.
//!
//! Border: texts only; whoever prints them is elsewhere.

use crate::load::{Tally, Told};
use std::time::Duration;

/// Signs of a bar.
const BAR: usize = 24;
/// Characters of a name beside it.
const NAME: usize = 40;

/// What is shown while a load goes on.
#[derive(Debug)]
pub struct Screen {
    /// Columns of a terminal; none: lines for a pipe.
    columns: Option<usize>,
    files: u64,
    bytes: u64,
    done_files: u64,
    done_bytes: u64,
}

impl Screen {
    /// On a terminal of so many columns, or in a pipe.
    #[must_use]
    pub const fn new(columns: Option<usize>) -> Screen {
        Screen { columns, files: 0, bytes: 0, done_files: 0, done_bytes: 0 }
    }

    /// What is to be printed.
    pub fn tell(&mut self, told: &Told) -> String {
        match told {
            Told::Found { files, bytes } => {
                (self.files, self.bytes) = (*files, *bytes);
                self.line(&format!("{files} files, {}\n", size(*bytes)), "")
            }
            Told::Done { name, change, bytes } => {
                self.done_files += 1;
                self.done_bytes += bytes;
                self.line(&format!("{change:<9} {name}\n"), name)
            }
            Told::Waits { seconds } => {
                let waits = format!("the server is busy; going on in {seconds} s");
                self.line(&format!("{waits}\n"), &waits)
            }
        }
    }

    fn line(&self, plain: &str, beside: &str) -> String {
        let Some(columns) = self.columns else { return plain.to_owned() };
        let filled = part(self.done_files, self.files);
        let bar = format!("{}{}", "#".repeat(filled), ".".repeat(BAR - filled));
        let Screen { files, done_files, done_bytes, .. } = self;
        let beside: String = beside.chars().filter(|sign| !sign.is_control()).take(NAME).collect();
        let line = format!("[{bar}] {done_files}/{files} files, {}  {beside}", size(*done_bytes));
        let line: String = line.chars().take(columns.saturating_sub(1)).collect();
        format!("\r\u{1b}[K{line}")
    }

    /// What is printed when it is over, and `tally` became of it.
    #[must_use]
    pub fn end(&self, tally: &Tally, took: Duration) -> String {
        let clear = if self.columns.is_some() { "\r\u{1b}[K" } else { "" };
        let refused: String = tally
            .refused
            .iter()
            .map(|one| format!("refused   {}: {}\n", plain(&one.name), plain(&one.why)))
            .collect();
        let noted: String = tally
            .noted
            .iter()
            .map(|one| format!("note      {}: {}\n", plain(&one.name), plain(&one.note)))
            .collect();
        let Tally { added, replaced, unchanged, bytes, costs, .. } = tally;
        let seconds = took.as_secs_f64();
        let rate = if seconds > 0.0 { megabytes(*bytes) / seconds } else { 0.0 };
        format!(
            "{clear}{noted}{refused}{} files: {added} added, {replaced} replaced, {unchanged} unchanged, {} refused; {} in \
             {seconds:.1} s ({rate:.1} MB/s)\n{}",
            tally.files(),
            tally.refused.len(),
            size(*bytes),
            costs.lines(),
        )
    }

    /// What is printed where it ended before that: what was done by then, and paid for.
    #[must_use]
    pub fn broken(&self, tally: &Tally, took: Duration) -> String {
        if tally.files() == 0 { "\n".to_owned() } else { self.end(tally, took) }
    }
}

/// In one line.
fn plain(text: &str) -> String {
    text.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).collect()
}

fn part(done: u64, all: u64) -> usize {
    let signs = done.saturating_mul(BAR as u64).checked_div(all).unwrap_or(0);
    usize::try_from(signs).unwrap_or(BAR).min(BAR)
}

#[allow(clippy::cast_precision_loss, reason = "for people")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

fn size(bytes: u64) -> String {
    if bytes < 1_000_000 {
        format!("{} kB", bytes.div_ceil(1_000))
    } else {
        format!("{:.1} MB", megabytes(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::costs::Paid;
    use crate::load::{Noted, Refused};

    fn done(name: &str) -> Told {
        Told::Done { name: name.into(), change: "added", bytes: 500_000 }
    }

    #[test]
    fn a_terminal_has_a_bar_and_a_pipe_has_lines() {
        let found = Told::Found { files: 2, bytes: 1_000_000 };
        let mut pipe = Screen::new(None);
        assert_eq!(pipe.tell(&found), "2 files, 1.0 MB\n");
        assert_eq!(pipe.tell(&done("a.md")), "added     a.md\n");
        let mut screen = Screen::new(Some(100));
        screen.tell(&found);
        let half = screen.tell(&done("a\u{1b}.md"));
        assert_eq!(half, "\r\u{1b}[K[############............] 1/2 files, 500 kB  a.md");
        let mut narrow = Screen::new(Some(30));
        assert_eq!(narrow.tell(&done(&"long".repeat(99))).chars().count(), 4 + 29);
        assert!(screen.tell(&Told::Waits { seconds: 3 }).contains("going on in 3 s"));
    }

    #[test]
    fn the_end_names_what_is_refused_and_counts_the_rest() {
        let why = "it is encrypted;\nunpack it".to_owned();
        let tally = Tally {
            added: 2,
            unchanged: 1,
            refused: vec![Refused { name: "a.zip".into(), why }],
            noted: vec![Noted { name: "b.md".into(), note: "`id` is left out".into() }],
            bytes: 3_000_000,
            ..Tally::default()
        };
        let mut paid = tally.clone();
        paid.costs.add(Paid { model: "openai:small".into(), tokens: 900, cost: Some(18e-6) });
        let end = |tally: &Tally| Screen::new(None).end(tally, Duration::from_millis(1_500));
        let said = end(&tally);
        assert_eq!(
            end(&paid),
            format!("{said}embeddings: 900 tokens of openai:small, $0.000018\n")
        );
        assert_eq!(
            said,
            "note      b.md: `id` is left out\nrefused   a.zip: it is encrypted; unpack it\n4 files: 2 added, 0 replaced, 1 unchanged, 1 refused; 3.0 MB \
             in 1.5 s (2.0 MB/s)\n"
        );
        assert!(!tally.is_whole());
        let broken = |tally: &Tally| Screen::new(None).broken(tally, Duration::from_millis(1_500));
        assert_eq!((broken(&paid), broken(&Tally::default())), (end(&paid), "\n".to_owned()));
    }
}
