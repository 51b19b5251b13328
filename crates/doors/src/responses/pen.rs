//! The numbers of a response's frames.
//!
//! Border: frames in, bytes out; who comes back is written what it has not got.

use super::wire::Frame;
use crate::frames;

/// Numbers the frames and writes those that are wanted.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pen {
    next: u64,
    /// Frames up to this one are not written.
    after: Option<u64>,
}

impl Pen {
    /// Writes those behind this one, or all.
    pub const fn behind(after: Option<u64>) -> Pen {
        Pen { next: 0, after }
    }

    /// Writes the next one, unless it is not wanted.
    pub fn put(&mut self, mut frame: Frame<'_>, out: &mut Vec<u8>) {
        frame.sequence_number = self.next;
        self.next += 1;
        if self.after.is_some_and(|after| frame.sequence_number <= after) {
            return;
        }
        frames::named(frame.kind, &frame, out);
    }
}
