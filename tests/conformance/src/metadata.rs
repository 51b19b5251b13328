//! The front matter of a test: the few keys that decide how it is run.
//!
//! Border: not a YAML parser. The suite's own linter holds front matter to a narrow form; what
//! does not fit it is an error, never a guess.

use std::fmt;

/// When an expected error has to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Before any of the program runs.
    Parse,
    /// While modules are linked.
    Resolution,
    /// While the program runs.
    Runtime,
}

/// The error that a test must end with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Negative {
    /// When it comes.
    pub phase: Phase,
    /// The name of its constructor.
    pub error: String,
}

/// A flag of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flag {
    /// In strict mode only.
    OnlyStrict,
    /// Not in strict mode.
    NoStrict,
    /// A module.
    Module,
    /// Nothing may be put before it.
    Raw,
    /// It says by printing when it is done.
    Async,
    /// Made by a generator; nothing follows from it.
    Generated,
    /// The main thread must be one that may block.
    CanBlock,
    /// The main thread must be one that may not block.
    CannotBlock,
    /// What it observes may differ from run to run; nothing follows from it.
    NonDeterministic,
}

/// What the front matter says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    /// How to run it.
    pub flags: Vec<Flag>,
    /// Harness files beyond the usual ones.
    pub includes: Vec<String>,
    /// Parts of the language that it is about.
    pub features: Vec<String>,
    /// The error that it must end with.
    pub negative: Option<Negative>,
}

/// Why front matter could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MetadataError {
    /// There is no `/*--- … ---*/`.
    Missing,
    /// A flag that this runner does not know, so it cannot say how to run the test.
    Flag(String),
    /// A phase that this runner does not know.
    Phase(String),
    /// A negative test without phase or error.
    Negative,
}

impl fmt::Display for MetadataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => write!(f, "there is no front matter between `/*---` and `---*/`"),
            Self::Flag(flag) => write!(f, "the flag `{flag}` is unknown to this runner"),
            Self::Phase(phase) => write!(f, "the phase `{phase}` is unknown to this runner"),
            Self::Negative => write!(f, "`negative` needs a phase and a type"),
        }
    }
}

impl std::error::Error for MetadataError {}

impl Metadata {
    /// Reads the front matter of a test's source.
    ///
    /// # Errors
    /// When there is none, or when it asks for something that this runner does not know.
    pub fn parse(source: &str) -> Result<Self, MetadataError> {
        let (_, rest) = source.split_once("/*---").ok_or(MetadataError::Missing)?;
        let (text, _) = rest.split_once("---*/").ok_or(MetadataError::Missing)?;
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let flags = list(&text, "flags").iter().map(|name| flag(name)).collect::<Result<_, _>>()?;
        Ok(Self {
            flags,
            includes: list(&text, "includes"),
            features: list(&text, "features"),
            negative: negative(&text)?,
        })
    }

    /// Whether the test has a flag.
    #[must_use]
    pub fn has(&self, flag: Flag) -> bool {
        self.flags.contains(&flag)
    }
}

fn flag(name: &str) -> Result<Flag, MetadataError> {
    Ok(match name {
        "onlyStrict" => Flag::OnlyStrict,
        "noStrict" => Flag::NoStrict,
        "module" => Flag::Module,
        "raw" => Flag::Raw,
        "async" => Flag::Async,
        "generated" => Flag::Generated,
        "CanBlockIsTrue" => Flag::CanBlock,
        "CanBlockIsFalse" => Flag::CannotBlock,
        "non-deterministic" => Flag::NonDeterministic,
        other => return Err(MetadataError::Flag(other.to_owned())),
    })
}

fn negative(text: &str) -> Result<Option<Negative>, MetadataError> {
    let Some(block) = block(text, "negative") else { return Ok(None) };
    let phase = match nested(&block, "phase").ok_or(MetadataError::Negative)?.as_str() {
        "parse" => Phase::Parse,
        "resolution" => Phase::Resolution,
        "runtime" => Phase::Runtime,
        other => return Err(MetadataError::Phase(other.to_owned())),
    };
    let error = nested(&block, "type").ok_or(MetadataError::Negative)?;
    Ok(Some(Negative { phase, error }))
}

/// A value one level down.
fn nested(block: &str, key: &str) -> Option<String> {
    block.lines().find_map(|line| {
        let value = line.trim().strip_prefix(key)?.strip_prefix(':')?;
        Some(plain(value).to_owned())
    })
}

/// A list, in brackets or with a dash for each item.
fn list(text: &str, key: &str) -> Vec<String> {
    let Some(block) = block(text, key) else { return Vec::new() };
    let uncommented: Vec<&str> = block.lines().map(without_comment).collect();
    let joined = uncommented.join("\n");
    let items: Vec<&str> = match joined.trim().strip_prefix('[') {
        Some(inner) => inner.split(']').next().unwrap_or_default().split(',').collect(),
        None => joined.lines().filter_map(|line| line.trim().strip_prefix('-')).collect(),
    };
    let items = items.into_iter().map(plain);
    items.filter(|item| !item.is_empty()).map(str::to_owned).collect()
}

/// What belongs to a key at the left margin: the rest of its line and the lines below it that are
/// indented or begin with a dash.
fn block(text: &str, key: &str) -> Option<String> {
    let mut lines = text.lines();
    let first =
        lines.by_ref().find_map(|line| line.strip_prefix(key)?.strip_prefix(':').map(str::trim))?;
    let mut block = first.to_owned();
    for line in lines
        .take_while(|line| line.starts_with([' ', '\t', '-', ']', '#']) || line.trim().is_empty())
    {
        block.push('\n');
        block.push_str(line);
    }
    Some(block)
}

fn without_comment(line: &str) -> &str {
    let end = line.find(" #").unwrap_or(line.len());
    let line = line.get(..end).unwrap_or(line);
    if line.trim_start().starts_with('#') { "" } else { line }
}

/// A scalar without comment and quotes.
fn plain(value: &str) -> &str {
    without_comment(value).trim().trim_matches(['"', '\''])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(front: &str) -> Metadata {
        Metadata::parse(&format!("// Copyright\n/*---\n{front}\n---*/\n1;")).unwrap()
    }

    #[test]
    fn lists_come_in_brackets_and_with_dashes() {
        let metadata = parse(
            "description: >\n  flags: [module]\nflags: [generated, async]\nincludes:\n  - a.js # why\n  # none\n  - sm/b.js\nfeatures: [A,\n  B,\n]",
        );
        assert_eq!(metadata.flags, [Flag::Generated, Flag::Async]);
        assert_eq!(metadata.includes, ["a.js", "sm/b.js"]);
        assert_eq!(metadata.features, ["A", "B"]);
        assert_eq!(metadata.negative, None);
    }

    #[test]
    fn a_negative_test_names_phase_and_error() {
        let metadata = parse("negative:\n  phase: parse\n  type: SyntaxError\nflags: []");
        let expected = Negative { phase: Phase::Parse, error: "SyntaxError".to_owned() };
        assert_eq!(metadata.negative, Some(expected));
        assert!(metadata.flags.is_empty());
    }

    #[test]
    fn all_line_ends_are_read() {
        let metadata = Metadata::parse("/*---\rflags: [raw]\r\nfeatures: [x]\r---*/").unwrap();
        assert_eq!((metadata.flags.len(), metadata.features.len()), (1, 1));
    }

    #[test]
    fn what_is_not_understood_is_an_error() {
        assert_eq!(Metadata::parse("1;"), Err(MetadataError::Missing));
        let unknown = Metadata::parse("/*---\nflags: [sideways]\n---*/");
        assert_eq!(unknown, Err(MetadataError::Flag("sideways".to_owned())));
        let half = Metadata::parse("/*---\nnegative:\n  phase: parse\n---*/");
        assert_eq!(half, Err(MetadataError::Negative));
    }
}
