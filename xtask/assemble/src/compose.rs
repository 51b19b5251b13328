//! Composes the Spin component `quarry` as `components/quarry.wac` says, and holds the result to
//! its border: one door in, nothing of ours left open.

use crate::Finish;
use crate::stamp::Stamp;
use anyhow::{Context, Result, bail};
use indexmap::IndexMap;
use std::fs;
use std::path::Path;
use wac_graph::EncodeOptions;
use wac_graph::types::{BorrowedPackageKey, Package, Types};
use wac_parser::Document;
use xtask::components::{Profile, compiled};
use xtask::{components, paths};

/// What a component imports and exports, by name.
struct Border {
    /// Names of imports.
    imports: Vec<String>,
    /// Names of exports.
    exports: Vec<String>,
}

/// Composes the components that were compiled by a profile into the file `output`, unless it is up to date.
pub fn compose(profile: Profile, output: &Path, finish: &Finish) -> Result<()> {
    let script = paths::root().join("components/quarry.wac");
    let source = fs::read_to_string(&script).context("cannot read components/quarry.wac")?;
    let mut parts = Vec::new();
    for name in components::COMPOSED {
        let file = compiled(profile, name);
        let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        parts.push((format!("quarry:{name}"), bytes));
    }
    let inputs = parts.iter().map(|(_, bytes)| bytes.as_slice());
    let stamp = Stamp::of(inputs.chain([source.as_bytes()]).chain(finish.inputs()))?;
    if stamp.is_on(output) {
        return Ok(());
    }
    crate::tell("putting quarry together");
    let bytes = link(&source, parts)?;
    check_border(&border(&bytes)?)?;
    components::replace(output, &finish.apply(bytes)?)?;
    stamp.put(output)
}

/// Reads a component's imports and exports.
fn border(bytes: &[u8]) -> Result<Border> {
    let mut types = Types::default();
    let package = Package::from_bytes("quarry:border", None, bytes, &mut types)?;
    let world = &types[package.ty()];
    Ok(Border {
        imports: world.imports.keys().cloned().collect(),
        exports: world.exports.keys().cloned().collect(),
    })
}

fn link(source: &str, parts: Vec<(String, Vec<u8>)>) -> Result<Vec<u8>> {
    let document = Document::parse(source).map_err(explain)?;
    let (names, contents): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
    let packages: IndexMap<_, _> = names
        .iter()
        .map(|name| BorrowedPackageKey::from_name_and_version(name, None))
        .zip(contents)
        .collect();
    let resolution = document.resolve(packages).map_err(explain)?;
    resolution.encode(EncodeOptions::default()).map_err(explain)
}

fn explain(error: impl std::error::Error + Send + Sync + 'static) -> anyhow::Error {
    anyhow::Error::new(error).context("components/quarry.wac")
}

/// The composed component has the HTTP door and no other, and needs nothing of ours.
fn check_border(border: &Border) -> Result<()> {
    let ours = |name: &&String| name.starts_with("quarry:");
    let open: Vec<_> = border.imports.iter().filter(ours).cloned().collect();
    if !open.is_empty() {
        bail!(
            "the composed component still imports {}; connect it in components/quarry.wac",
            open.join(", ")
        );
    }
    let door = |name: &String| name.starts_with("wasi:http/handler@");
    if let [only] = border.exports.as_slice()
        && door(only)
    {
        return Ok(());
    }
    bail!(
        "the composed component must export wasi:http/handler and nothing else; it exports: {}",
        border.exports.join(", ")
    )
}
