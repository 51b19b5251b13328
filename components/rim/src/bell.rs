//! What wakes others who wait within an instance: its requests cannot wake each other at a word of Rust's.

use spin_sdk::sqlite::RowResult;
use spin_sdk::sqlite::wit::wit_stream;
use wit_bindgen::StreamWriter;

/// Rings when it is dropped.
pub type Bell = StreamWriter<RowResult>;

/// A bell, and whoever hears it, in whichever request.
pub fn bell() -> (Bell, impl Future<Output = ()>) {
    // Nothing is ever written: what ends a stream wakes whoever reads it.
    let (bell, mut rings) = wit_stream::new::<RowResult>();
    (bell, async move { _ = rings.next().await })
}
