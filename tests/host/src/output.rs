//! What components print, and what the host says about them: forwarded line by line to standard
//! error, and kept in memory for tests that ask for it.

use std::io::{ErrorKind, Write as _};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use bytes::Bytes;
use tokio::io::AsyncWrite;
use wasmtime_wasi::cli::{IsTerminal, StdoutStream};
use wasmtime_wasi::p2::{OutputStream, Pollable, StreamError, StreamResult};

/// Takes every line that components print. Clones share what they keep.
#[derive(Debug, Clone, Default)]
pub struct Output(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    forward: bool,
    keep: bool,
    kept: Mutex<String>,
    is_full: AtomicBool,
}

impl Output {
    /// `forward` writes to standard error, `keep` remembers for [`Output::text`].
    pub fn new(forward: bool, keep: bool) -> Self {
        Self(Arc::new(Inner {
            forward,
            keep,
            kept: Mutex::default(),
            is_full: AtomicBool::new(false),
        }))
    }

    /// Whether from now on components can print nothing, as on a full disk.
    pub fn fill(&self, full: bool) {
        self.0.is_full.store(full, Ordering::Relaxed);
    }

    /// Everything printed so far, one `component: line` a line; empty unless it is kept.
    pub fn text(&self) -> String {
        lock(&self.0.kept).clone()
    }

    /// Adds text, each of its lines under the component's name.
    pub fn say(&self, component: &str, text: &str) {
        let lines: String = text.lines().map(|line| format!("{component}: {line}\n")).collect();
        if self.0.forward {
            // A closed standard error is nobody's fault here.
            drop(std::io::stderr().write_all(lines.as_bytes()));
        }
        if self.0.keep {
            lock(&self.0.kept).push_str(&lines);
        }
    }

    /// One guest's standard output or error.
    pub(crate) fn stream(&self, component: Arc<str>) -> GuestStream {
        GuestStream(Arc::new(Line { output: self.clone(), component, partial: Mutex::default() }))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A guest's stream; collects a line before it passes it on.
#[derive(Debug, Clone)]
pub(crate) struct GuestStream(Arc<Line>);

#[derive(Debug)]
struct Line {
    output: Output,
    component: Arc<str>,
    partial: Mutex<Vec<u8>>,
}

/// A guest that never ends its line cannot make the host collect more than this and one write.
const LONGEST_LINE: usize = 64 * 1024;

impl GuestStream {
    fn take(&self, bytes: &[u8]) -> std::io::Result<()> {
        if self.0.output.0.is_full.load(Ordering::Relaxed) {
            return Err(ErrorKind::StorageFull.into());
        }
        self.collect(bytes);
        Ok(())
    }

    fn collect(&self, bytes: &[u8]) {
        let mut partial = lock(&self.0.partial);
        partial.extend_from_slice(bytes);
        let end = match partial.iter().rposition(|byte| *byte == b'\n') {
            Some(last) => last + 1,
            None if partial.len() >= LONGEST_LINE => partial.len(),
            None => return,
        };
        let rest = partial.split_off(end);
        let lines = std::mem::replace(&mut *partial, rest);
        self.0.output.say(&self.0.component, &String::from_utf8_lossy(&lines));
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        let rest = std::mem::take(&mut *lock(&self.partial));
        if !rest.is_empty() {
            self.output.say(&self.component, &String::from_utf8_lossy(&rest));
        }
    }
}

impl IsTerminal for GuestStream {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for GuestStream {
    fn async_stream(&self) -> Box<dyn AsyncWrite + Send + Sync> {
        Box::new(self.clone())
    }

    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }
}

impl AsyncWrite for GuestStream {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        Poll::Ready(self.take(bytes).map(|()| bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[wasmtime_wasi::async_trait]
impl Pollable for GuestStream {
    async fn ready(&mut self) {}
}

impl OutputStream for GuestStream {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.take(&bytes).map_err(|error| StreamError::LastOperationFailed(error.into()))
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(LONGEST_LINE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_collected_and_named() {
        let output = Output::new(false, true);
        let stream = output.stream("web".into());
        stream.take(b"one\ntw").unwrap();
        stream.clone().take(b"o\nthr").unwrap();
        assert_eq!(output.text(), "web: one\nweb: two\n");
        drop(stream);
        assert_eq!(output.text(), "web: one\nweb: two\nweb: thr\n");
    }

    #[test]
    fn a_full_disk_takes_nothing() {
        let output = Output::new(false, true);
        let stream = output.stream("web".into());
        output.fill(true);
        assert_eq!(stream.take(b"lost\n").unwrap_err().kind(), ErrorKind::StorageFull);
        output.fill(false);
        stream.take(b"kept\n").unwrap();
        assert_eq!(output.text(), "web: kept\n");
    }

    #[test]
    fn nothing_is_kept_unasked() {
        let output = Output::new(false, false);
        output.say("web", "line");
        assert_eq!(output.text(), "");
    }
}
