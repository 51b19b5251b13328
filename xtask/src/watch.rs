//! Runs what takes long, cargo before all, so that whoever waits sees that it goes on: its lines as
//! they come, and between them how far it is. On a terminal that is one line which is overwritten
//! each second; elsewhere a line whenever nothing came for too long.

mod pieces;

use anyhow::{Context, Result, bail};
use pieces::{Piece, Pieces};
use std::io::{IsTerminal, Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};
use xtask::silence::{Silence, line};

const ERASE_LINE: &str = "\r\x1b[2K";
/// How often the line on a terminal is written anew.
const TICK: Duration = Duration::from_secs(1);
/// Columns that every terminal has.
const WIDTH: usize = 78;

/// Something to run, and what it is for.
pub struct Job {
    /// For people, without a verb: "the local host".
    pub what: String,
    /// What is run. It is given nothing to read.
    pub command: Command,
}

/// Runs jobs side by side to their ends; all must succeed. What one is for is said as soon as it turns
/// out to have something to do.
pub fn run(jobs: Vec<Job>) -> Result<()> {
    let is_terminal = std::io::stderr().is_terminal();
    let (sender, news) = channel();
    let mut running = Vec::new();
    let mut steps = Vec::new();
    for (number, mut job) in jobs.into_iter().enumerate() {
        prepare(&mut job.command, is_terminal);
        let mut child =
            job.command.spawn().with_context(|| format!("{}: cannot start", job.what))?;
        let source = child.stderr.take().context("no standard error")?;
        let sender = sender.clone();
        std::thread::spawn(move || read(number, source, &sender));
        steps.push(Step::new(job.what.clone()));
        running.push((job.what, child));
    }
    drop(sender);
    let mut watch = Watch::new(steps, is_terminal);
    let finished = watch.follow(&news, |number| {
        let Some((what, child)) = running.get_mut(number) else { return Ok(()) };
        if child.wait()?.success() { Ok(()) } else { bail!("{what}: failed (see above)") }
    });
    watch.erase();
    if finished.is_err() {
        for (_, child) in &mut running {
            // It may have ended meanwhile, which is as good.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
    finished
}

fn prepare(command: &mut Command, is_terminal: bool) {
    // Cargo says how far it is only in its bar, which it draws where it is told that it may.
    command.env("CARGO_TERM_PROGRESS_WHEN", "always").env("CARGO_TERM_PROGRESS_WIDTH", "200");
    if is_terminal && std::env::var_os("CARGO_TERM_COLOR").is_none() {
        command.env("CARGO_TERM_COLOR", "always");
    }
    command.stdin(Stdio::null()).stderr(Stdio::piped());
}

/// What a job wrote; nothing: it will write no more.
type News = (usize, Option<Vec<u8>>);

fn read(number: usize, mut source: impl Read, news: &Sender<News>) {
    let mut buffer = [0; 8192];
    while let Ok(length @ 1..) = source.read(&mut buffer) {
        let chunk = buffer.get(..length).unwrap_or_default().to_vec();
        if news.send((number, Some(chunk))).is_err() {
            return;
        }
    }
    // Nobody listens any more when another job failed.
    let _ = news.send((number, None));
}

/// What is known of a job.
struct Step {
    what: String,
    pieces: Pieces,
    /// How far it is, in its own words.
    place: Option<String>,
    is_announced: bool,
    has_ended: bool,
}

impl Step {
    fn new(what: String) -> Step {
        Step { what, pieces: Pieces::default(), place: None, is_announced: false, has_ended: false }
    }
}

/// What is shown.
struct Watch {
    steps: Vec<Step>,
    is_terminal: bool,
    begun: Instant,
    silence: Silence,
    /// The line that stands on the terminal.
    drawn: Option<String>,
}

impl Watch {
    fn new(steps: Vec<Step>, is_terminal: bool) -> Watch {
        let silence = Silence::begin(Duration::ZERO);
        Watch { steps, is_terminal, begun: Instant::now(), silence, drawn: None }
    }

    /// Shows what comes until all have ended, or one has ended badly.
    fn follow(
        &mut self,
        news: &Receiver<News>,
        mut ended: impl FnMut(usize) -> Result<()>,
    ) -> Result<()> {
        loop {
            let left = self.silence.left(self.begun.elapsed());
            match news.recv_timeout(if self.is_terminal { left.min(TICK) } else { left }) {
                Ok((number, chunk)) => {
                    let is_end = chunk.is_none();
                    for piece in self.cut(number, chunk) {
                        self.take(number, piece);
                    }
                    if is_end {
                        ended(number)?;
                    }
                }
                Err(RecvTimeoutError::Timeout) => self.tick(),
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }

    fn cut(&mut self, number: usize, chunk: Option<Vec<u8>>) -> Vec<Piece> {
        let mut all = Vec::new();
        let Some(step) = self.steps.get_mut(number) else { return all };
        match chunk {
            Some(chunk) => step.pieces.push(&chunk, |piece| all.push(piece)),
            None => {
                step.has_ended = true;
                step.pieces.end(|piece| all.push(piece));
            }
        }
        all
    }

    fn take(&mut self, number: usize, piece: Piece) {
        match piece {
            Piece::Place(place) => {
                if let Some(step) = self.steps.get_mut(number) {
                    step.place = Some(place);
                }
                self.draw();
            }
            Piece::Line(line) => {
                let is_announced = self.steps.get(number).is_some_and(|step| step.is_announced);
                if pieces::is_idle_talk(&line) && !is_announced {
                    return;
                }
                self.announce(number);
                self.say(&line);
                self.draw();
            }
        }
    }

    fn tick(&mut self) {
        let now = self.begun.elapsed();
        if self.is_terminal {
            self.draw();
        } else if self.silence.is_over(now) {
            self.say(&line(now, &self.place()));
        }
    }

    /// Where those are that go on.
    fn place(&self) -> String {
        let steps: Vec<String> = self
            .steps
            .iter()
            .filter(|step| !step.has_ended)
            .map(|step| match &step.place {
                Some(place) => format!("{} {place}", step.what),
                None => step.what.clone(),
            })
            .collect();
        steps.join("; ")
    }

    fn announce(&mut self, number: usize) {
        let Some(step) = self.steps.get_mut(number) else { return };
        if !std::mem::replace(&mut step.is_announced, true) {
            let heading = format!("== building {}", step.what);
            self.say(&heading);
        }
    }

    fn say(&mut self, line: &str) {
        self.erase();
        eprintln!("{line}");
        self.silence.broken(self.begun.elapsed());
    }

    /// The line on a terminal; none before there is something to do.
    fn draw(&mut self) {
        let has_begun = self.steps.iter().any(|step| step.is_announced);
        if self.is_terminal && (has_begun || self.begun.elapsed() > TICK) {
            let shown = line(self.begun.elapsed(), &self.place());
            let shown: String = shown.chars().take(WIDTH).collect();
            // Cargo draws its bar more often than it changes.
            if self.drawn.as_ref() != Some(&shown) {
                eprint!("{ERASE_LINE}{shown}");
                // Without it the line comes a second late, which nobody would miss.
                let _ = std::io::stderr().flush();
                self.drawn = Some(shown);
            }
        }
    }

    fn erase(&mut self) {
        if self.drawn.take().is_some() {
            eprint!("{ERASE_LINE}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(what: &str, script: &str) -> Job {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Job { what: what.to_owned(), command }
    }

    #[test]
    fn a_job_that_fails_ends_the_others_and_is_named() {
        run(vec![shell("one", "exit 0"), shell("two", "exec 2>&-; exit 0")]).unwrap();
        // Nobody waits for the first, or this test would not end today.
        let failed = run(vec![shell("long", "exec sleep 100000"), shell("short", "exit 3")]);
        assert!(failed.unwrap_err().to_string().starts_with("short: failed"));
    }

    #[test]
    fn where_it_is_names_those_that_go_on() {
        let steps = ["the host", "the components"].map(|what| Step::new(what.to_owned()));
        let mut watch = Watch::new(steps.into(), false);
        for piece in watch.cut(0, Some(b"Building [=> ] 2/9: syn\r".to_vec())) {
            watch.take(0, piece);
        }
        assert_eq!(watch.place(), "the host 2 of 9: syn; the components");
        watch.cut(0, None);
        assert_eq!(watch.place(), "the components");
    }
}
