//! Makes finished components of compiled ones and puts them where `spin.toml` looks: composes
//! `quarry`, meters the sandbox, puts functions in order, takes names out, leaves alone what is up to date.
//! `quarry-assemble PROFILE [COMPONENT…] [--apart] [--names] [--trace FOLDER]`, as `cargo xtask build` and
//! `cargo xtask order` run it; with `--apart` not where Spin looks, but where tasks do that serve by themselves.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people at a terminal")]

mod compose;
mod order;
mod sections;
mod stamp;
mod strip;
mod trace;

use anyhow::{Context, Result, bail};
use lexopt::prelude::*;
use stamp::Stamp;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use xtask::components::{
    self, COMPOSED, METERED, Names, Place, Profile, QUARRY, SEPARATE, compiled, make, replace,
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
    let (mut place, mut traced) = (Place::Own, None);
    while let Some(arg) = args.next()? {
        match arg {
            Value(name) if profile.is_none() => profile = Profile::named(&name.string()?),
            Value(name) => wanted.push(name.string()?),
            Long("apart") => place = Place::Apart,
            Long("names") => names = Names::Kept,
            Long("trace") => traced = Some(PathBuf::from(args.value()?)),
            other => return Err(other.unexpected().into()),
        }
    }
    let Some(profile) = profile else { bail!("name a profile") };
    assemble(place, profile, &wanted, &Finish::of(profile, names)?)?;
    match traced {
        Some(folder) => trace::write(&all_finished(place), &folder),
        None => Ok(()),
    }
}

/// Finishes the named components, or all when none is named. `quarry` is composed anew when one of
/// its parts is among them.
fn assemble(place: Place, profile: Profile, wanted: &[String], finish: &Finish) -> Result<()> {
    let wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
    let finished = place.finished();
    fs::create_dir_all(&finished)
        .with_context(|| format!("cannot create {}", finished.display()))?;
    for name in SEPARATE.into_iter().filter(|name| wanted(name)) {
        let (file, linked) = (place.file(name), compiled(profile, name));
        make(&file, profile, || separate(name, &linked, &file, finish))?;
    }
    if COMPOSED.into_iter().any(wanted) {
        let quarry = place.file(QUARRY);
        // The parts are kept too: a test reads what each of them may reach.
        let parts = finished.join("parts");
        fs::create_dir_all(&parts).with_context(|| format!("cannot create {}", parts.display()))?;
        make(&quarry, profile, || {
            for name in COMPOSED {
                let file = parts.join(name).with_extension("wasm");
                put_when_changed(&read(&compiled(profile, name))?, &file)?;
            }
            compose::compose(profile, &quarry, finish)
        })?;
    }
    Ok(())
}

fn all_finished(place: Place) -> Vec<PathBuf> {
    components::finished(|_| true).map(|name| place.file(name)).collect()
}

/// What takes long: whoever runs this tells how long it goes on.
fn tell(what: &str) {
    eprintln!("  … {what}");
}

/// What is done with every component at last.
struct Finish {
    names: Names,
    /// The names of the functions that come first, as a text; none in what is built quickly.
    first: String,
}

impl Finish {
    fn of(profile: Profile, names: Names) -> Result<Finish> {
        let first = match profile {
            Profile::Ship => {
                fs::read_to_string(paths::order()).context("cannot read components/order.txt")?
            }
            Profile::Quick => String::new(),
        };
        Ok(Finish { names, first })
    }

    /// What the result depends on beside the component.
    fn inputs(&self) -> [&[u8]; 2] {
        [self.names.name().as_bytes(), self.first.as_bytes()]
    }

    /// In order, by names that may go then.
    fn apply(&self, component: Vec<u8>) -> Result<Vec<u8>> {
        let component = match self.first.as_str() {
            "" => component,
            first => order::ordered(&component, &order::First::of(first))?,
        };
        match self.names {
            Names::Kept => Ok(component),
            Names::Gone => strip::stripped(&component),
        }
    }
}

/// Finishes a component that is one of its own, unless it is up to date.
fn separate(name: &str, linked: &Path, file: &Path, finish: &Finish) -> Result<()> {
    let bytes = read(linked)?;
    let stamp = Stamp::of([bytes.as_slice()].into_iter().chain(finish.inputs()))?;
    if stamp.is_on(file) {
        return Ok(());
    }
    let bytes = match name {
        METERED => {
            tell("metering the sandbox");
            quarry_meter::metered(&bytes)?
        }
        _ => bytes,
    };
    put_when_changed(&finish.apply(bytes)?, file)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_in_order_whether_their_names_stay_or_go() {
        let component = order::tests::component();
        let finished = |names, first: &str| {
            Finish { names, first: first.to_owned() }.apply(component.clone()).unwrap()
        };
        let kept = finished(Names::Kept, "hot\n");
        assert_eq!(order::ordered(&component, &order::First::of("hot")).unwrap(), kept);
        assert_ne!(finished(Names::Kept, ""), kept);
        assert_eq!(finished(Names::Gone, "hot\n"), strip::stripped(&kept).unwrap());
        assert_ne!(finished(Names::Gone, ""), strip::stripped(&kept).unwrap());
    }
}
