//! Makes finished components of compiled ones and puts them where `spin.toml` looks: composes
//! `quarry`, meters the sandbox, takes names out, leaves alone what is up to date.
//! `quarry-assemble PROFILE [COMPONENT…] [--names]`, as `cargo xtask build` runs it.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people at a terminal")]

mod compose;
mod stamp;
mod strip;

use anyhow::{Context, Result, bail};
use lexopt::prelude::*;
use stamp::Stamp;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use xtask::components::{
    COMPOSED, METERED, Names, Profile, QUARRY, SEPARATE, compiled, make, replace,
};
use xtask::paths;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let mut args = lexopt::Parser::from_env();
    let (mut profile, mut wanted, mut names) = (None, Vec::new(), Names::Gone);
    while let Some(arg) = args.next()? {
        match arg {
            Value(name) if profile.is_none() => profile = Profile::named(&name.string()?),
            Value(name) => wanted.push(name.string()?),
            Long("names") => names = Names::Kept,
            other => return Err(other.unexpected().into()),
        }
    }
    let Some(profile) = profile else { bail!("name a profile") };
    assemble(profile, &wanted, names)
}

/// Finishes the named components, or all when none is named. `quarry` is composed anew when one of
/// its parts is among them.
fn assemble(profile: Profile, wanted: &[String], names: Names) -> Result<()> {
    let wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
    let finished = paths::finished();
    fs::create_dir_all(&finished).context("cannot create target/quarry")?;
    for name in SEPARATE.into_iter().filter(|name| wanted(name)) {
        let file = finished.join(name).with_extension("wasm");
        let linked = compiled(profile, name);
        make(&file, profile, || match name {
            METERED => meter(&linked, &file, names),
            _ => put_when_changed(&finish(read(&linked)?, names)?, &file),
        })?;
    }
    if COMPOSED.into_iter().any(wanted) {
        let quarry = finished.join(QUARRY).with_extension("wasm");
        // The parts are kept too: a test reads what each of them may reach.
        let parts = finished.join("parts");
        fs::create_dir_all(&parts).context("cannot create target/quarry/parts")?;
        make(&quarry, profile, || {
            for name in COMPOSED {
                let file = parts.join(name).with_extension("wasm");
                put_when_changed(&read(&compiled(profile, name))?, &file)?;
            }
            compose::compose(profile, &quarry, names)
        })?;
    }
    Ok(())
}

/// What takes long: whoever runs this tells how long it goes on.
fn tell(what: &str) {
    eprintln!("  … {what}");
}

/// With its names or without.
fn finish(component: Vec<u8>, names: Names) -> Result<Vec<u8>> {
    match names {
        Names::Kept => Ok(component),
        Names::Gone => strip::stripped(&component),
    }
}

fn meter(linked: &Path, file: &Path, names: Names) -> Result<()> {
    let bytes = read(linked)?;
    let stamp = Stamp::of([bytes.as_slice(), names.name().as_bytes()])?;
    if stamp.is_on(file) {
        return Ok(());
    }
    tell("metering the sandbox");
    replace(file, &finish(quarry_meter::metered(&bytes)?, names)?)?;
    stamp.put(file)
}

/// Writes a finished component, leaving an equal one untouched so that nothing that watches it
/// or caches by its date starts over.
fn put_when_changed(bytes: &[u8], to: &Path) -> Result<()> {
    if fs::read(to).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    replace(to, bytes)
}

fn read(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).with_context(|| format!("cannot read {}", file.display()))
}
