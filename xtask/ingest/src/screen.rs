//! What a person sees of a load: a bar on a terminal, lines in a pipe, and what became of all at the end.
//!
//! Border: texts only; whoever prints them is elsewhere, and says what time it is: how long it is since the load began.

use crate::load::{Tally, Told};
use quarry_client::words;
use quarry_types::text;
use std::time::Duration;
use xtask::silence::{self, Silence};

/// Signs of a bar.
const BAR: usize = 24;
/// Characters of a name beside it.
const NAME: usize = 40;
/// Characters of what is said of a file: its name may be long, and whoever refuses it may say anything.
const LINE: usize = 4_096;
/// What takes no longer is not counted in seconds.
const MOMENT: Duration = Duration::from_secs(2);

/// What goes on once the server was sent something.
const READS: &str = "the server reads what was sent";

/// What goes on.
#[derive(Debug)]
enum Doing {
    /// What these words say.
    Work(String),
    /// Nothing until then: the server is busy.
    Pause {
        /// As the time is said.
        until: Duration,
    },
}

/// What is shown while a load goes on.
#[derive(Debug)]
pub struct Screen {
    /// Columns of a terminal; none: lines for a pipe.
    columns: Option<usize>,
    files: u64,
    bytes: u64,
    done_files: u64,
    done_bytes: u64,
    /// Bytes of the next file, as far as it is.
    within: u64,
    /// What goes on, and since when.
    doing: Doing,
    since: Duration,
    silence: Silence,
}

impl Screen {
    /// On a terminal of so many columns, or in a pipe.
    #[must_use]
    pub fn new(columns: Option<usize>) -> Screen {
        Screen {
            columns,
            files: 0,
            bytes: 0,
            done_files: 0,
            done_bytes: 0,
            within: 0,
            doing: Doing::Work("looking through it".to_owned()),
            since: Duration::ZERO,
            silence: Silence::begin(Duration::ZERO),
        }
    }

    /// What is to be printed.
    pub fn tell(&mut self, told: &Told, now: Duration) -> String {
        match told {
            Told::Found { files, bytes } => {
                (self.files, self.bytes) = (*files, *bytes);
                self.go_on(Doing::Work(READS.to_owned()), now);
                self.line(&format!("{files} files, {}\n", size(*bytes)), "")
            }
            Told::Far { name, bytes, done, chunks } => {
                self.within = part(*done, *chunks, *bytes);
                let passages = text::count(*chunks, "passage", "passages");
                let place = format!("{}, {done} of {passages}", short(name));
                // In a pipe it is said when a line is due.
                let line = self.line("", &place);
                self.doing = Doing::Work(place);
                line
            }
            Told::Done { name, change, bytes } => {
                self.done_files += 1;
                self.done_bytes += bytes;
                self.go_on(Doing::Work("the next document".to_owned()), now);
                self.line(&format!("{change:<9} {}\n", plain(name)), &short(name))
            }
            Told::Waits { seconds } => {
                let pause = Duration::from_secs(*seconds);
                self.go_on(Doing::Pause { until: now.saturating_add(pause) }, now);
                let waits = waits(pause);
                self.line(&format!("{waits}\n"), &waits)
            }
        }
    }

    /// What is to be printed when nothing was told for a while: how long it takes, in a pipe only now and then.
    pub fn tick(&mut self, now: Duration) -> String {
        let is_new = self.end_pause(now);
        let took = now.saturating_sub(self.since);
        let words = self.words(now);
        if self.columns.is_none() {
            let is_due = self.silence.is_over(now);
            let line = || format!("{}\n", silence::line(took, &words));
            return if is_due { line() } else { String::new() };
        }
        match self.doing {
            Doing::Work(_) if took >= MOMENT => {
                self.line("", &format!("{words} · {} s", took.as_secs()))
            }
            // The server is no longer said to be busy.
            Doing::Work(_) if is_new => self.line("", &words),
            Doing::Work(_) => String::new(),
            Doing::Pause { .. } => self.line("", &words),
        }
    }

    fn words(&self, now: Duration) -> String {
        match &self.doing {
            Doing::Work(words) => words.clone(),
            Doing::Pause { until } => waits(until.saturating_sub(now)),
        }
    }

    /// Whether a pause is over: then the server was sent again what it was too busy for.
    fn end_pause(&mut self, now: Duration) -> bool {
        let Doing::Pause { until } = self.doing else { return false };
        let is_over = now >= until;
        if is_over {
            (self.doing, self.since) = (Doing::Work(READS.to_owned()), until);
        }
        is_over
    }

    /// Something else goes on from now on, and is said to.
    fn go_on(&mut self, doing: Doing, now: Duration) {
        (self.doing, self.since, self.within) = (doing, now, 0);
        self.silence.broken(now);
    }

    fn line(&self, plain: &str, beside: &str) -> String {
        let Some(columns) = self.columns else { return plain.to_owned() };
        let Screen { files, done_files, .. } = self;
        let done = self.done_bytes + self.within;
        // Empty files have no bytes to go by.
        let (of, all) = if self.bytes == 0 { (*done_files, *files) } else { (done, self.bytes) };
        let signs = usize::try_from(part(of, all, BAR as u64)).unwrap_or(BAR);
        let bar = format!("{}{}", "#".repeat(signs), ".".repeat(BAR - signs));
        let line = format!("[{bar}] {done_files}/{files} files, {}  {beside}", size(done));
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

/// What is said of a pause of which this is left.
fn waits(left: Duration) -> String {
    format!("the server is busy; going on in {} s", left.as_millis().div_ceil(1_000))
}

/// In one line.
fn plain(text: &str) -> String {
    let signs = text.chars().take(LINE);
    signs.map(|sign| if words::is_plain(sign) { sign } else { ' ' }).collect()
}

/// A name as it stands beside a bar.
fn short(name: &str) -> String {
    name.chars().filter(|sign| words::is_plain(*sign)).take(NAME).collect()
}

/// Of a whole as much as is done of all.
fn part(done: u64, all: u64, whole: u64) -> u64 {
    done.min(all).saturating_mul(whole).checked_div(all).unwrap_or(0)
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

    fn far(done: u64) -> Told {
        Told::Far { name: "a\u{1b}.md".into(), bytes: 500_000, done, chunks: 1_400 }
    }

    const FOUND: Told = Told::Found { files: 2, bytes: 1_000_000 };

    #[test]
    fn a_terminal_has_a_bar_and_a_pipe_has_lines() {
        let now = Duration::ZERO;
        let mut pipe = Screen::new(None);
        assert_eq!(pipe.tell(&FOUND, now), "2 files, 1.0 MB\n");
        assert_eq!(pipe.tell(&done("a.md"), now), "added     a.md\n");
        let sly = pipe.tell(&done("a\u{1b}[2J\u{202e}.md"), now);
        assert_eq!(sly, "added     a [2J .md\n", "a name moves no cursor and turns no text");
        let mut screen = Screen::new(Some(100));
        screen.tell(&FOUND, now);
        let half = screen.tell(&done("a\u{1b}.md"), now);
        assert_eq!(half, "\r\u{1b}[K[############............] 1/2 files, 500 kB  a.md");
        let mut narrow = Screen::new(Some(30));
        assert_eq!(narrow.tell(&done(&"long".repeat(99)), now).chars().count(), 4 + 29);
        assert!(screen.tell(&Told::Waits { seconds: 3 }, now).contains("going on in 3 s"));
    }

    #[test]
    fn a_bar_moves_within_a_file_and_says_how_long_it_takes() {
        let at = Duration::from_secs;
        let mut screen = Screen::new(Some(100));
        screen.tell(&FOUND, at(0));
        assert_eq!(screen.tick(at(1)), "");
        let half =
            "\r\u{1b}[K[######..................] 0/2 files, 250 kB  a.md, 700 of 1400 passages";
        assert_eq!(screen.tell(&far(700), at(3)), half);
        assert_eq!(screen.tick(at(4)), format!("{half} · 4 s"));
        // What it was before its last passage is not counted once more.
        screen.tell(&far(1_400), at(5));
        let whole = screen.tell(&done("a.md"), at(6));
        assert_eq!(whole, "\r\u{1b}[K[############............] 1/2 files, 500 kB  a.md");
        assert_eq!(screen.tick(at(7)), "");
        assert!(screen.tick(at(9)).ends_with("the next document · 3 s"));
    }

    #[test]
    fn a_pause_counts_down_until_the_server_reads_again() {
        let at = Duration::from_secs;
        let (mut screen, mut pipe) = (Screen::new(Some(100)), Screen::new(None));
        let pause = Told::Waits { seconds: 60 };
        assert!(screen.tell(&pause, at(5)).ends_with("  the server is busy; going on in 60 s"));
        assert_eq!(pipe.tell(&pause, at(5)), "the server is busy; going on in 60 s\n");
        assert!(screen.tick(at(8)).ends_with("  the server is busy; going on in 57 s"));
        let later = Duration::from_millis(64_001);
        assert!(screen.tick(later).ends_with("  the server is busy; going on in 1 s"));
        assert_eq!(pipe.tick(at(13)), "  … 8 s: the server is busy; going on in 52 s\n");
        assert!(screen.tick(at(65)).ends_with("  the server reads what was sent"));
        assert_eq!(screen.tick(at(66)), "");
        assert!(screen.tick(at(68)).ends_with("  the server reads what was sent · 3 s"));
        assert_eq!(pipe.tick(at(68)), "  … 3 s: the server reads what was sent\n");
    }

    #[test]
    fn a_bar_of_empty_files_goes_by_files() {
        let mut screen = Screen::new(Some(100));
        screen.tell(&Told::Found { files: 2, bytes: 0 }, Duration::ZERO);
        let mut bar = |name: &str| {
            let done = Told::Done { name: name.into(), change: "refused", bytes: 0 };
            screen.tell(&done, Duration::ZERO)
        };
        assert!(bar("a.md").contains("[############............] 1/2 files, 0 kB"));
        assert!(bar("b.md").contains("[########################] 2/2 files, 0 kB"));
    }

    /// However often the server says how far a file is, and however long it says nothing.
    #[test]
    fn a_pipe_has_a_line_every_eight_seconds_and_no_flood() {
        let mut pipe = Screen::new(None);
        pipe.tell(&FOUND, Duration::ZERO);
        let mut said = Vec::new();
        for second in 1..=30 {
            let now = Duration::from_secs(second);
            let told = if second < 20 { pipe.tell(&far(second * 10), now) } else { String::new() };
            said.extend([told, pipe.tick(now)].into_iter().filter(|text| !text.is_empty()));
            if second == 20 {
                said.push(pipe.tell(&done("a.md"), now));
            }
        }
        let lines = [
            "  … 8 s: a.md, 80 of 1400 passages\n",
            "  … 16 s: a.md, 160 of 1400 passages\n",
            "added     a.md\n",
            "  … 8 s: the next document\n",
        ];
        assert_eq!(said, lines);
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
