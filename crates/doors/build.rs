//! Packs the OpenAPI document: without its line breaks and deflated it is a thirteenth of what it was, in a
//! component that an instance is made of for every burst of requests, and that hardly anybody asks for it.

use std::io::Write as _;
use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let source = "src/openapi.json";
    println!("cargo::rerun-if-changed={source}");
    println!("cargo::rerun-if-changed=build.rs");
    let dense = without_blanks(&fs::read_to_string(source)?);
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
    let packed = fs::File::create(Path::new(&out).join("openapi.json.z"))?;
    let mut packing = flate2::write::ZlibEncoder::new(packed, flate2::Compression::best());
    packing.write_all(dense.as_bytes())?;
    packing.finish()?;
    Ok(())
}

/// The same JSON without what stands between its values.
fn without_blanks(json: &str) -> String {
    let (mut in_string, mut escaped) = (false, false);
    let keeps = |character: &char| {
        let kept = in_string || !character.is_ascii_whitespace();
        match character {
            '"' if !escaped => in_string = !in_string,
            _ => {}
        }
        escaped = in_string && *character == '\\' && !escaped;
        kept
    };
    json.chars().filter(keeps).collect()
}
