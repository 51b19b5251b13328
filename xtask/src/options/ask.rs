//! What may be said after `cargo xtask ask`.

use super::places::Places;
use super::served::Served;
use anyhow::{Result, bail};
use lexopt::prelude::*;

/// What the task says of itself.
pub const HELP: &str = "\
Usage: cargo xtask ask \"question\" [options]

Asks a question and shows how it is answered. Serves Quarry on a free port for as long as it takes; with
--url it asks one that is running.

  --model PROVIDER:NAME  the model (default_model, else the first provider with a key)
  --json                 raw events, one JSON object a line
  --url URL              ask a Quarry that is already running; nothing is built or started
  --budget DOLLARS       stop before more than this is spent
  --sources PLACES       where to look: web, knowledge (one's own documents) or both (web)
  --collection NAME      which collection of these documents (default)
  --iterations N         at most so many tool iterations
  --verify-with-model    let the model judge doubtful citations, in one more call
  --no-wait              end at a rate limit instead of waiting and resuming
  --runtime local|spin   what serves it (local)
  --ship                 as Quarry ships: components and host are faster, many minutes longer to build
  --no-build             serve components that are built already; only what hosts them is brought up to date

Keys are taken from the environment, as `cargo xtask up --help` says; with none, demo mode.
ACCESS_SECRET from the environment is sent along.
Ends with 0 when there is an answer, 1 when there is none, 2 for wrong options, 130 after Ctrl-C.
";

/// One question and how to ask it.
#[derive(Debug)]
pub struct Options {
    /// The question.
    pub question: String,
    /// `provider:name`.
    pub model: Option<String>,
    /// Whether events are printed as they come.
    pub json: bool,
    /// A Quarry that runs elsewhere.
    pub url: Option<String>,
    /// In US dollars.
    pub budget: Option<f64>,
    /// Where to look; none: where the server does by itself.
    pub sources: Option<Places>,
    /// Which collection of documents is looked into; none: the default one.
    pub collection: Option<String>,
    /// The most tool iterations.
    pub iterations: Option<u32>,
    /// Whether the model judges doubtful citations.
    pub verify_with_model: bool,
    /// Whether a rate limit is waited out.
    pub wait: bool,
    /// What serves it.
    pub served: Served,
}

impl Options {
    /// Reads them; none: help is wanted.
    pub fn parse(args: lexopt::Parser) -> Result<Option<Options>> {
        Options::read(args).map_err(|error| super::wrong(&error))
    }

    fn read(mut args: lexopt::Parser) -> Result<Option<Options>> {
        let mut words: Vec<String> = Vec::new();
        let mut options = Options {
            question: String::new(),
            model: None,
            json: false,
            url: None,
            budget: None,
            sources: None,
            collection: None,
            iterations: None,
            verify_with_model: false,
            wait: true,
            served: Served::default(),
        };
        while let Some(arg) = args.next()? {
            match arg {
                Value(word) => words.push(word.string()?),
                Long("model") => options.model = Some(args.value()?.string()?),
                Long("json") => options.json = true,
                Long("url") => options.url = Some(super::address(args.value()?.string()?)?),
                Long("budget") => options.budget = Some(super::dollars("--budget", &mut args)?),
                Long("iterations") => {
                    let most = super::number("--iterations", super::WHOLE, &mut args)?;
                    options.iterations = Some(most);
                }
                Long("sources") => options.sources = Some(args.value()?.parse()?),
                Long("collection") => options.collection = Some(args.value()?.string()?),
                Long("verify-with-model") => options.verify_with_model = true,
                Long("no-wait") => options.wait = false,
                Short('h') | Long("help") => return Ok(None),
                Long(name) => {
                    let name = name.to_owned();
                    if !options.served.take(&name, &mut args)? {
                        return Err(super::unknown(Long(&name), HELP));
                    }
                }
                other => return Err(super::unknown(other, HELP)),
            }
        }
        options.question = words.join(" ");
        if options.question.trim().is_empty() {
            bail!("there is no question\n\n{HELP}");
        }
        Places::check(options.sources, options.collection.as_deref())?;
        options.served.check(options.url.as_deref())?;
        Ok(Some(options))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<Option<Options>> {
        Options::parse(lexopt::Parser::from_args(words))
    }

    #[test]
    fn a_question_may_be_several_words_and_is_asked_here_or_elsewhere() {
        let first = parse(&["How", "tall?"]).unwrap().unwrap();
        assert_eq!(first.question, "How tall?");
        let here = parse(&["--ship", "How?", "--model", "--url"]).unwrap().unwrap();
        assert_eq!(here.url, None);
        let elsewhere = parse(&["x", "--url", "http://localhost:7100"]).unwrap().unwrap();
        assert_eq!(elsewhere.url.as_deref(), Some("http://localhost:7100"));
        let own = parse(&["--sources", "knowledge", "x"]).unwrap().unwrap().sources;
        assert!(own.is_some_and(Places::has_knowledge));
        let named = parse(&["--sources", "both", "--collection", "boats", "x"]).unwrap().unwrap();
        assert_eq!(named.collection.as_deref(), Some("boats"));
    }

    #[test]
    fn mistakes_are_refused_before_anything_is_built() {
        for bad in [
            &[][..],
            &[" "],
            &["x", "--modell", "y"],
            &["x", "--runtime", "wasm"],
            &["x", "--budget", "nan"],
            &["x", "--budget", "inf"],
            &["x", "--budget", "0"],
            &["x", "--budget=-1"],
            &["x", "--sources", "books"],
            &["x", "--collection", "boats"],
            &["x", "--sources", "web", "--collection", "boats"],
        ] {
            assert!(parse(bad).is_err(), "{bad:?}");
        }
        let bare = parse(&["x", "--url", "localhost:7100"]).unwrap_err().to_string();
        assert!(bare.contains("begins with http://"), "{bare}");
        assert!(parse(&["--help"]).unwrap().is_none());
    }
}
