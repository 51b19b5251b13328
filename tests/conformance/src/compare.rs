//! Where one engine passes and the other does not.

use std::collections::BTreeMap;

use crate::run::{Judged, Record};
use crate::suite;
use crate::verdict::Verdict;
use crate::worker::Engine;

/// Folders by which differences are grouped.
const DEPTH: usize = 4;

/// A test that one engine passes and the other does not.
#[derive(Debug)]
pub struct Difference<'a> {
    /// The test's path.
    pub path: &'a str,
    /// What became of it where it does not pass.
    pub judged: &'a Judged,
}

/// The tests that `ahead` passes and `behind` does not.
#[must_use]
pub fn differences(records: &[Record], ahead: Engine, behind: Engine) -> Vec<Difference<'_>> {
    let differ = |record: &&Record| {
        record.passes(ahead) == Some(true) && record.passes(behind) == Some(false)
    };
    records
        .iter()
        .filter(differ)
        .filter_map(|record| {
            Some(Difference { path: &record.path, judged: record.verdicts.get(&behind)? })
        })
        .collect()
}

/// Differences of one folder that are alike.
#[derive(Debug)]
pub struct Group<'a> {
    /// The folder below `test`.
    pub folder: String,
    /// What they have in common.
    pub kind: String,
    /// The first of them.
    pub example: &'a Difference<'a>,
    /// How many there are.
    pub count: usize,
}

/// Groups by folder and by the start of what went wrong; the largest first.
#[must_use]
pub fn groups<'a>(differences: &'a [Difference<'a>]) -> Vec<Group<'a>> {
    let mut groups: BTreeMap<(String, String), Group<'a>> = BTreeMap::new();
    for difference in differences {
        let folder = suite::folder(difference.path, DEPTH);
        let kind = kind(&difference.judged.verdict);
        let group = groups.entry((folder.clone(), kind.clone()));
        group.or_insert(Group { folder, kind, example: difference, count: 0 }).count += 1;
    }
    let mut groups: Vec<Group<'a>> = groups.into_values().collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.count));
    groups
}

/// The verdict in a few words.
#[must_use]
pub fn kind(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Pass => "passes".to_owned(),
        Verdict::Limit(limit) => format!("limit: {limit}"),
        Verdict::Crashed(how) => format!("crashed: {}", start(how)),
        Verdict::Wrong(what) => format!("wrong: {}", start(what)),
    }
}

/// The whole verdict in one line.
#[must_use]
pub fn words(verdict: &Verdict) -> String {
    let words = match verdict {
        Verdict::Pass => "passes".to_owned(),
        Verdict::Limit(limit) => format!("limit: {limit}"),
        Verdict::Crashed(how) => format!("crashed: {how}"),
        Verdict::Wrong(what) => format!("wrong: {what}"),
    };
    words.replace(['\n', '\r', '\t'], " ")
}

fn start(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    line.chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(path: &str, plain: Verdict, component: Verdict) -> Record {
        let judged = |verdict| Judged { verdict, mode: "sloppy".to_owned() };
        let verdicts =
            [(Engine::Plain, judged(plain)), (Engine::Component, judged(component))].into();
        Record { path: path.to_owned(), ignored: false, need: None, verdicts }
    }

    #[test]
    fn alike_differences_make_one_group() {
        let wrong = || Verdict::Wrong("TypeError: no\nmore".to_owned());
        let records = [
            record("test/a/b/c/1.js", Verdict::Pass, wrong()),
            record("test/a/b/c/2.js", Verdict::Pass, wrong()),
            record("test/a/b/d/3.js", Verdict::Pass, Verdict::Limit("time".to_owned())),
            record("test/a/b/d/4.js", wrong(), wrong()),
            record("test/a/b/d/5.js", wrong(), Verdict::Pass),
        ];
        let behind = differences(&records, Engine::Plain, Engine::Component);
        assert_eq!(behind.len(), 3);
        let groups = groups(&behind);
        let first = &groups[0];
        assert_eq!((first.count, first.folder.as_str()), (2, "a/b/c"));
        assert_eq!(first.kind, "wrong: TypeError: no");
        assert_eq!(differences(&records, Engine::Component, Engine::Plain).len(), 1);
    }
}
