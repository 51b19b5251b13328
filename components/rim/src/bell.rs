//! What wakes others who wait within an instance: its requests cannot wake each other at a word of Rust's.
//!
//! Border: a bell is the end of a stream, whose type has to be one that the component imports anyway. So there is one for
//! each kind of component.

use spin_sdk::sqlite::RowResult;
use spin_sdk::sqlite::wit::wit_stream as streams_of_sqlite;
use spin_sdk::wasip3::wit_stream as streams_of_http;
use wit_bindgen::StreamWriter;

/// Rings when it is dropped.
pub type Bell = StreamWriter<RowResult>;

/// Rings when it is dropped.
pub type BellOverHttp = StreamWriter<u8>;

/// A bell, and whoever hears it, in whichever request: for a component that has SQLite.
pub fn bell() -> (Bell, impl Future<Output = ()>) {
    // Nothing is ever written: what ends a stream wakes whoever reads it.
    let (bell, mut rings) = streams_of_sqlite::new::<RowResult>();
    (bell, async move { _ = rings.next().await })
}

/// The same for a component that makes HTTP requests.
pub fn bell_over_http() -> (BellOverHttp, impl Future<Output = ()>) {
    let (bell, mut rings) = streams_of_http::new::<u8>();
    (bell, async move { _ = rings.next().await })
}
