//! Runs what takes long, cargo before all, so that whoever waits sees that it goes on: its lines as
//! they come, and between them how far it is. On a terminal that is one line which is overwritten
//! each second; elsewhere a line whenever nothing came for too long.

mod pieces;

use anyhow::{Context, Result, bail};
use pieces::{Piece, Pieces};
use std::io::{IsTerminal, Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use xtask::silence::{Silence, line};

const ERASE_LINE: &str = "\r\x1b[2K";
/// How often the line on a terminal is written anew.
const TICK: Duration = Duration::from_secs(1);
/// Columns that every terminal has.
const WIDTH: usize = 78;

/// Runs a command to its end; it must succeed. What it is for is said as soon as it turns out to have
/// something to do.
pub fn run(what: &str, mut command: Command) -> Result<()> {
    let is_terminal = std::io::stderr().is_terminal();
    // Cargo says how far it is only in its bar, which it draws where it is told that it may.
    command.env("CARGO_TERM_PROGRESS_WHEN", "always").env("CARGO_TERM_PROGRESS_WIDTH", "200");
    if is_terminal && std::env::var_os("CARGO_TERM_COLOR").is_none() {
        command.env("CARGO_TERM_COLOR", "always");
    }
    command.stdin(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("{what}: cannot start"))?;
    let mut source = child.stderr.take().context("no standard error")?;
    let (sender, chunks) = channel();
    std::thread::spawn(move || {
        let mut buffer = [0; 8192];
        while let Ok(length @ 1..) = source.read(&mut buffer) {
            let Some(chunk) = buffer.get(..length) else { return };
            if sender.send(chunk.to_vec()).is_err() {
                return;
            }
        }
    });
    Watch::new(what, is_terminal).follow(&chunks);
    let status = child.wait()?;
    if !status.success() {
        bail!("{what}: failed (see above)");
    }
    Ok(())
}

/// What is shown.
struct Watch<'a> {
    what: &'a str,
    is_terminal: bool,
    begun: Instant,
    silence: Silence,
    /// How far it is, in its own words.
    place: String,
    is_announced: bool,
    is_drawn: bool,
}

impl<'a> Watch<'a> {
    fn new(what: &'a str, is_terminal: bool) -> Watch<'a> {
        Watch {
            what,
            is_terminal,
            begun: Instant::now(),
            silence: Silence::begin(Duration::ZERO),
            place: what.to_owned(),
            is_announced: false,
            is_drawn: false,
        }
    }

    fn follow(mut self, chunks: &Receiver<Vec<u8>>) {
        let mut pieces = Pieces::default();
        loop {
            let left = self.silence.left(self.begun.elapsed());
            match chunks.recv_timeout(if self.is_terminal { left.min(TICK) } else { left }) {
                Ok(chunk) => pieces.push(&chunk, |piece| self.take(piece)),
                Err(RecvTimeoutError::Timeout) => self.tick(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        pieces.end(|piece| self.take(piece));
        self.erase();
    }

    fn take(&mut self, piece: Piece) {
        match piece {
            Piece::Place(place) => {
                self.place = place;
                self.draw();
            }
            // That there was nothing to do, or is no more, shows by itself.
            Piece::Line(line) if pieces::is_last(&line) => {}
            Piece::Line(line) => {
                self.announce();
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
            self.announce();
            self.say(&line(now, &self.place.clone()));
        }
    }

    fn announce(&mut self) {
        if !std::mem::replace(&mut self.is_announced, true) {
            self.say(&format!("== {}", self.what));
        }
    }

    fn say(&mut self, line: &str) {
        self.erase();
        eprintln!("{line}");
        self.silence.broken(self.begun.elapsed());
    }

    /// The line on a terminal; none before there is something to do.
    fn draw(&mut self) {
        if self.is_terminal && (self.is_announced || self.begun.elapsed() > TICK) {
            let shown = line(self.begun.elapsed(), &self.place);
            let shown: String = shown.chars().take(WIDTH).collect();
            eprint!("{ERASE_LINE}{shown}");
            // Without it the line comes a second late, which nobody would miss.
            let _ = std::io::stderr().flush();
            self.is_drawn = true;
        }
    }

    fn erase(&mut self) {
        if std::mem::take(&mut self.is_drawn) {
            eprint!("{ERASE_LINE}");
        }
    }
}
