//! The figures as text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::compare::{self, Difference};
use crate::run::Record;
use crate::suite;
use crate::verdict::Verdict;
use crate::worker::Engine;

/// Groups of differences that are printed; the list has them all.
const GROUPS: usize = 60;

/// Counts of one folder.
#[derive(Debug, Default, Clone)]
struct Counts {
    tests: usize,
    ignored: usize,
    needing: usize,
    run: usize,
    passed: BTreeMap<Engine, usize>,
}

impl Counts {
    fn add(&mut self, record: &Record) {
        self.tests += 1;
        if record.ignored {
            self.ignored += 1;
        } else if record.need.is_some() {
            self.needing += 1;
        } else {
            self.run += 1;
            for engine in record.verdicts.keys() {
                *self.passed.entry(*engine).or_default() +=
                    usize::from(record.passes(*engine) == Some(true));
            }
        }
    }
}

/// The report on a run, for reading.
#[must_use]
pub fn render(records: &[Record], engines: &[Engine]) -> String {
    let mut text = String::new();
    folders(&mut text, records, engines);
    reasons(&mut text, records, engines);
    if let [Engine::Plain, Engine::Component] = engines {
        let behind = compare::differences(records, Engine::Plain, Engine::Component);
        let ahead = compare::differences(records, Engine::Component, Engine::Plain);
        let _ = writeln!(
            text,
            "\nplain passes and the component does not: {}; the other way round: {}",
            behind.len(),
            ahead.len()
        );
        groups(&mut text, &behind);
        let _ = writeln!(text, "\nthe other way round");
        groups(&mut text, &ahead);
    }
    text
}

/// A line for each test that plain passes and the component does not.
#[must_use]
pub fn list(records: &[Record]) -> String {
    let behind = compare::differences(records, Engine::Plain, Engine::Component);
    behind.iter().fold(String::new(), |mut text, difference| {
        let words = compare::words(&difference.judged.verdict);
        let _ = writeln!(text, "{}\t{}\t{words}", difference.path, difference.judged.mode);
        text
    })
}

fn folders(text: &mut String, records: &[Record], engines: &[Engine]) {
    let mut folders: BTreeMap<String, Counts> = BTreeMap::new();
    let mut all = Counts::default();
    for record in records {
        folders.entry(suite::folder(&record.path, 1)).or_default().add(record);
        all.add(record);
    }
    let _ = write!(text, "{:12}{:>8}{:>9}{:>9}{:>8}", "", "tests", "ignored", "needing", "run");
    for engine in engines {
        let _ = write!(text, "{:>20}", engine.name());
    }
    text.push('\n');
    let total = ("all".to_owned(), all);
    for (folder, counts) in folders.into_iter().chain([total]) {
        let Counts { tests, ignored, needing, run, passed } = counts;
        let _ = write!(text, "{folder:12}{tests:>8}{ignored:>9}{needing:>9}{run:>8}");
        for engine in engines {
            let passed = passed.get(engine).copied().unwrap_or_default();
            let _ = write!(text, "{passed:>10} {:>7.2} %", percent(passed, run));
        }
        text.push('\n');
    }
    text.push_str(
        "\nignored: the engine's project leaves them out; needing: they need what no engine is \
         given here.\nBoth kinds stay out of the shares.\n",
    );
}

/// Why tests were not run or did not pass.
fn reasons(text: &mut String, records: &[Record], engines: &[Engine]) {
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let counted = || records.iter().filter(|record| !record.ignored);
    for need in counted().filter_map(|record| record.need) {
        *reasons.entry(need.words().to_owned()).or_default() += 1;
    }
    for engine in engines {
        let judged = counted().filter(|record| record.need.is_none());
        for judged in judged.filter_map(|record| record.verdicts.get(engine)) {
            let reason = match &judged.verdict {
                Verdict::Pass => continue,
                Verdict::Wrong(_) => "wrong".to_owned(),
                Verdict::Limit(limit) => format!("limit: {limit}"),
                Verdict::Crashed(_) => "crashed".to_owned(),
            };
            *reasons.entry(format!("{}: {reason}", engine.name())).or_default() += 1;
        }
    }
    text.push_str("\nwhy not\n");
    for (reason, count) in reasons {
        let _ = writeln!(text, "{count:>8}  {reason}");
    }
}

fn groups(text: &mut String, differences: &[Difference<'_>]) {
    for group in compare::groups(differences).iter().take(GROUPS) {
        let _ = writeln!(
            text,
            "{:>6}  {}  {}\n        {} ({})",
            group.count, group.folder, group.kind, group.example.path, group.example.judged.mode
        );
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of tests")]
fn percent(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 * 100.0 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::needs::Need;
    use crate::run::Judged;

    fn record(path: &str, component: Option<Verdict>) -> Record {
        let judged = |verdict| Judged { verdict, mode: "strict".to_owned() };
        let verdicts = component.map(|component| {
            [(Engine::Plain, judged(Verdict::Pass)), (Engine::Component, judged(component))]
        });
        Record {
            path: path.to_owned(),
            ignored: false,
            need: verdicts.is_none().then_some(Need::Modules),
            verdicts: verdicts.into_iter().flatten().collect(),
        }
    }

    #[test]
    fn shares_are_of_what_was_run() {
        let records = [
            record("test/language/a.js", Some(Verdict::Pass)),
            record("test/language/b.js", Some(Verdict::Limit("time".to_owned()))),
            record("test/language/c.js", None),
        ];
        let text = render(&records, &[Engine::Plain, Engine::Component]);
        let line = text.lines().find(|line| line.starts_with("language")).unwrap();
        let numbers: Vec<&str> = line.split_whitespace().collect();
        let expected = ["language", "3", "0", "1", "2", "2", "100.00", "%", "1", "50.00", "%"];
        assert_eq!(numbers, expected);
        assert!(text.contains("1  component: limit: time"), "{text}");
        assert!(text.contains("1  needs modules"), "{text}");
        assert_eq!(list(&records), "test/language/b.js\tstrict\tlimit: time\n");
    }
}
