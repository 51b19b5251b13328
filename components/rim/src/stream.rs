//! Bytes on their way to a reader who may take none of them.
//!
//! Border: knows no door; what is written, and what follows where nobody takes it, is its caller's.

use crate::clock;
use std::time::Duration;
use wit_bindgen::StreamWriter;

/// Bytes of which a reader that still reads takes some within any patience.
const PIECE: usize = 16 * 1024;

/// How long the reader of an answer may take nothing, longer than clients wait for one. Whoever keeps a connection
/// and never reads would else hold what waits for it for as long as it likes.
pub const PATIENCE: Duration = Duration::from_secs(10 * 60);

/// Waits until the server has taken everything; whether it still listens. A slow client slows down what
/// it is sent, and never the ask.
pub async fn written(writer: &mut StreamWriter<u8>, bytes: Vec<u8>) -> bool {
    writer.write_all(bytes).await.is_empty()
}

/// The same, given up where a reader takes nothing for so long. What says that it does not read is not to be written to
/// any more: who writes to a reader that has left ends the instance, and all who are served by it.
pub async fn written_within(
    patience: Duration,
    writer: &mut StreamWriter<u8>,
    bytes: &[u8],
) -> bool {
    for piece in bytes.chunks(PIECE) {
        if clock::within(patience, written(writer, piece.to_vec())).await != Some(true) {
            return false;
        }
    }
    true
}
