//! A component or a core module, section by section, and made again of what becomes of each.

use anyhow::{Context, Result};
use std::borrow::Cow;
use wasm_encoder::{RawSection, Section as _};
use wasmparser::BinaryReader;

/// Magic, version and layer, which every binary begins with.
const HEADER: usize = 8;
/// What follows the magic and the version in a component.
const COMPONENT_LAYER: [u8; 2] = [1, 0];

const CUSTOM: u8 = 0;
/// In a component only.
pub const MODULE: u8 = 1;
/// In a component only.
const COMPONENT: u8 = 4;

/// What a section holds.
pub enum Section<'a> {
    /// A name, and what only who knows it reads.
    Custom(&'a [u8]),
    /// A core module of a component.
    Module(&'a [u8]),
    /// A component of a component.
    Component(&'a [u8]),
    /// Anything else.
    Other(&'a [u8]),
}

/// The binary with every section as `change` gives it; those that it gives none for are gone.
///
/// # Errors
/// Where the binary is cut off or none, and those of `change`.
pub fn rewritten<'a>(
    binary: &'a [u8],
    mut change: impl FnMut(Section<'a>) -> Result<Option<Cow<'a, [u8]>>>,
) -> Result<Vec<u8>> {
    let (header, sections) = binary.split_at_checked(HEADER).context("this is no WebAssembly")?;
    let is_component = header.ends_with(&COMPONENT_LAYER);
    let mut out = header.to_vec();
    let mut reader = BinaryReader::new(sections, 0);
    while !reader.eof() {
        let id = reader.read_u8()?;
        let size = reader.read_var_u32()? as usize;
        let data = reader.read_bytes(size)?;
        let section = match id {
            CUSTOM => Section::Custom(data),
            MODULE if is_component => Section::Module(data),
            COMPONENT if is_component => Section::Component(data),
            _ => Section::Other(data),
        };
        if let Some(data) = change(section)? {
            RawSection { id, data: &data }.append_to(&mut out);
        }
    }
    Ok(out)
}

/// The component with each of its core modules, at every depth, as `change` gives it.
///
/// # Errors
/// As [`rewritten`].
pub fn with_modules(
    component: &[u8],
    change: &mut dyn FnMut(&[u8]) -> Result<Vec<u8>>,
) -> Result<Vec<u8>> {
    rewritten(component, |section| {
        Ok(Some(match section {
            Section::Module(data) => change(data)?.into(),
            Section::Component(data) => with_modules(data, change)?.into(),
            Section::Custom(data) | Section::Other(data) => data.into(),
        }))
    })
}
