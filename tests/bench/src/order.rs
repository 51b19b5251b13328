//! Which functions of the components an ask runs, in the order of their first calls: for `cargo xtask order`, which has
//! made them note those.

use crate::ask;
use crate::client::{self, Target};
use crate::doors::doors;
use crate::host::{self, Host, Kept, Program};
use crate::notes::{self, Notes};
use anyhow::{Context as _, Result, bail};
use quarry_test_provider::{Manner, Match, Phase, Reply, Script, ScriptedProvider};
use serde_json::json;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsString;
use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

const USAGE: &str = "usage: quarry-bench order <quarry-host> <spin.toml> <functions.txt> <out.txt>";

/// Asks by which an instance gets to know what it then keeps.
const WARM_UP: usize = 5;
/// After its answer an ask still tidies up; an instance without work stays for a second.
const SETTLED: Duration = Duration::from_millis(200);
/// A name is of use where at least one of so many bytes that bear it ran: generic code has one for all its types, and
/// what never runs would lie between what does.
const SHARE: u64 = 3;

/// Its instance ends with the program, so that it has to be looked at while the program runs.
const ENDLESS: &str = "const all = [3, 1, 2].map((x) => x * 2).sort((a, b) => a - b); console.log(JSON.stringify({ all })); for (;;);";
/// Seconds that the program gets, and when it is looked at.
const TIMEOUT: u64 = 3;
const MEANWHILE: Duration = Duration::from_millis(1_500);

/// A function that can note its first call.
struct Function<'a> {
    /// Of its code, in bytes.
    size: u64,
    name: &'a str,
}

/// What ran.
#[derive(Default)]
struct Ran {
    /// Functions by their numbers, in the order of their first calls.
    order: Vec<usize>,
    known: HashSet<usize>,
    /// Of each module of which any ran: its first function, and how many it has.
    modules: BTreeMap<usize, usize>,
}

/// Writes the names that come first, a line each: those of `/ask`, then what the other doors add, then the sandbox.
pub async fn tell(arguments: impl Iterator<Item = OsString>) -> Result<()> {
    let arguments: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    let [host, manifest, functions, out] = arguments.as_slice() else { bail!(USAGE) };
    let told = fs::read_to_string(functions).context("there is no list of functions")?;
    let functions: Vec<Function<'_>> =
        told.lines().map(function).collect::<Option<_>>().context(USAGE)?;
    let cache = manifest.parent().unwrap_or(Path::new("")).join("target/host-cache");
    let program = Program { file: host.clone(), manner: host::Manner::AsUp, cache };
    let mut names = ran(&program, manifest).await?.names(&functions).join("\n");
    names.push('\n');
    fs::write(out, names).context("the names cannot be written")
}

/// Of a line: its size, its name.
fn function(line: &str) -> Option<Function<'_>> {
    let (size, name) = line.split_once(' ')?;
    Some(Function { size: size.parse().ok()?, name })
}

async fn ran(program: &Program, manifest: &Path) -> Result<Ran> {
    let script = || Script { unrecorded: true, ..Script::ordinary().in_frames() };
    let any_port = SocketAddr::from(([127, 0, 0, 1], 0));
    let provider = ScriptedProvider::start_as(any_port, script(), Manner::AsMet).await?;
    let url = provider.openai_base_url();
    let quarry = program.quarry(manifest, &url, Kept::Nothing).await?;
    let process = quarry.process().context("the host has ended")?;
    let (mut ran, mut asked) = (Ran::default(), 0);
    for door in doors() {
        for turn in 0..=WARM_UP {
            if turn == WARM_UP {
                tokio::time::sleep(SETTLED).await;
                notes::forget(process)?;
            }
            asked += 1;
            client::once(&door.target(quarry.address, asked)).await?;
        }
        tokio::time::sleep(SETTLED).await;
        if ran.add(&notes::read(process)?) == 0 {
            eprintln!("{} runs nothing that others do not", door.name);
        }
    }
    let call = Reply::call("execute_javascript", json!({ "code": ENDLESS, "timeout": TIMEOUT }));
    provider.set_script(script().first_always(Match::Phase(Phase::Iteration(1)), call));
    if ran.add(&while_it_runs(&quarry, process).await?) == 0 {
        bail!("the sandbox noted nothing: its program had ended when it was looked at");
    }
    Ok(ran)
}

/// What is noted while an ask's program runs.
async fn while_it_runs(quarry: &Host, process: u32) -> Result<Vec<Notes>> {
    let target: Target = ask::asked(quarry);
    let asking = tokio::spawn(async move { client::once(&target).await });
    tokio::time::sleep(MEANWHILE).await;
    let noted = notes::read(process)?;
    asking.await??;
    Ok(noted)
}

impl Ran {
    /// How many functions ran for the first time.
    fn add(&mut self, noted: &[Notes]) -> usize {
        let before = self.order.len();
        for notes in noted {
            let called = notes.called();
            if !called.is_empty() {
                self.modules.insert(notes.first, notes.calls.len());
            }
            self.order.extend(called.into_iter().filter(|function| self.known.insert(*function)));
        }
        self.order.len() - before
    }

    /// The names by which these functions are found again, each once.
    fn names<'a>(&self, functions: &[Function<'a>]) -> Vec<&'a str> {
        let modules = self.modules.iter();
        let bytes_of_all =
            bytes(modules.flat_map(|(first, count)| functions.iter().skip(*first).take(*count)));
        let ran = || self.order.iter().filter_map(|function| functions.get(*function));
        let bytes_of_ran = bytes(ran());
        let ran_enough = |name: &str| {
            let of = |bytes: &HashMap<&str, u64>| bytes.get(name).copied().unwrap_or_default();
            of(&bytes_of_ran) * SHARE >= of(&bytes_of_all)
        };
        let names = ran().map(|function| function.name).filter(|name| !name.is_empty());
        let mut told = HashSet::new();
        names.filter(|name| ran_enough(name) && told.insert(*name)).collect()
    }
}

/// How many bytes bear each name.
fn bytes<'a, 'b: 'a>(functions: impl Iterator<Item = &'a Function<'b>>) -> HashMap<&'b str, u64> {
    let mut bytes = HashMap::new();
    functions.for_each(|function| *bytes.entry(function.name).or_default() += function.size);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_in_the_order_of_first_calls_unless_most_of_what_bears_them_never_ran() {
        let told = "9 a\n9 b\n9 generic\n90 generic\n9 c\n9 \n9 twice\n9 twice\n9 a\n";
        let functions: Vec<Function<'_>> = told.lines().filter_map(function).collect();
        assert_eq!(functions.len(), 9);
        let mut ran = Ran::default();
        // The last module was never called.
        let idle = Notes { first: 8, calls: vec![0] };
        ran.add(&[Notes { first: 0, calls: vec![2, 0, 1, 0, 3] }, idle]);
        assert_eq!(ran.names(&functions), ["a", "c"]);
        let later = [
            Notes { first: 0, calls: vec![1, 2, 0, 0, 0] },
            Notes { first: 5, calls: vec![1, 0, 2] },
        ];
        ran.add(&later);
        assert_eq!(ran.names(&functions), ["a", "c", "b", "twice"]);
    }
}
