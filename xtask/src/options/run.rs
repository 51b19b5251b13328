//! What may be said after `cargo xtask run`.

use super::places::Places;
use super::served::Served;
use anyhow::{Result, bail, ensure};
use lexopt::prelude::*;
use std::path::{Path, PathBuf};

/// What the task says of itself.
pub const HELP: &str = "\
Usage: cargo xtask run \"task\" [options]
       cargo xtask run --resume ID [options]

Researches a task as a tree of questions and shows the tree as it grows, then the report. Serves Quarry on a free
port for as long as it takes; what has been found is kept, so that a run can be resumed.

  --model PROVIDER:NAME   the model (default_model, else the first provider with a key)
  --effort EFFORT         quick, standard or deep: sets all knobs together
  --set KNOB=VALUE        one knob, such as max_depth=1 or timeouts.run=600; again for others
  --budget-usd DOLLARS    stop before more than this is spent
  --budget-tokens N       stop before more tokens than this are used
  --sources PLACES        where to look: web, knowledge (one's own documents) or both (web)
  --collection NAME       which collection of these documents (default)
  --guidance TEXT         what to look into, to leave out, to keep in mind
  --resume ID             go on with a run; its bounds may only grow
  --force                 with --resume: go on though a policy has changed since the run began
  --report FILE           write the report there too: as .md, .html or .json
  --json                  raw events, one JSON object a line
  --state DIR             where what is found is kept (target/quarry-state)
  --url URL               a Quarry that is already running; nothing is built or started
  --runtime local|spin    what serves it (local)
  --ship                  as Quarry ships: components and host are faster, many minutes longer to build
  --no-build              serve components that are built already; only what hosts them is brought up to date

Ends with 0 when the run is completed, 1 when it failed or was aborted, 2 for wrong options, 3 when it waits for
somebody, 130 after Ctrl-C. ACCESS_SECRET from the environment is sent along.
";

/// The efforts that there are.
const EFFORTS: [&str; 3] = ["quick", "standard", "deep"];

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// Begin a run with this task.
    Task(String),
    /// Go on with the run of this id.
    Resume(String),
}

/// How a report is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportForm {
    /// `.md`
    Markdown,
    /// `.html`
    Html,
    /// `.json`
    Json,
}

impl ReportForm {
    /// The form that a file's ending stands for.
    fn of(file: &Path) -> Option<ReportForm> {
        match file.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "md" => Some(ReportForm::Markdown),
            "html" => Some(ReportForm::Html),
            "json" => Some(ReportForm::Json),
            _ => None,
        }
    }
}

/// A run and how it is followed.
#[derive(Debug)]
pub struct Options {
    /// What is to be done.
    pub start: Start,
    /// `provider:name`.
    pub model: Option<String>,
    /// A word for all knobs.
    pub effort: Option<String>,
    /// Knobs by their paths, such as `timeouts.run`, with what was said of each.
    pub knobs: Vec<(String, String)>,
    /// In US dollars.
    pub budget_usd: Option<f64>,
    /// Input and output together.
    pub budget_tokens: Option<u64>,
    /// Where to look; none: where the server does by itself.
    pub sources: Option<Places>,
    /// Which collection of documents is looked into; none: the default one.
    pub collection: Option<String>,
    /// Whether a run goes on though a policy has changed since it began.
    pub force: bool,
    /// What a person says to it.
    pub guidance: Option<String>,
    /// Where the report is written, and in which form.
    pub report: Option<(PathBuf, ReportForm)>,
    /// Whether events are printed as they come.
    pub json: bool,
    /// Where what is found is kept; none: in a place of the project's own.
    pub state: Option<PathBuf>,
    /// A Quarry that runs elsewhere.
    pub url: Option<String>,
    /// What serves it.
    pub served: Served,
}

impl Options {
    /// Reads them; none: help is wanted.
    pub fn parse(args: lexopt::Parser) -> Result<Option<Options>> {
        Options::read(args).map_err(|error| super::wrong(&error))
    }

    fn read(mut args: lexopt::Parser) -> Result<Option<Options>> {
        let (mut words, mut resume) = (Vec::<String>::new(), None);
        let mut options = Options {
            start: Start::Task(String::new()),
            model: None,
            effort: None,
            knobs: Vec::new(),
            budget_usd: None,
            budget_tokens: None,
            sources: None,
            collection: None,
            force: false,
            guidance: None,
            report: None,
            json: false,
            state: None,
            url: None,
            served: Served::default(),
        };
        while let Some(arg) = args.next()? {
            match arg {
                Value(word) => words.push(word.string()?),
                Short('h') | Long("help") => return Ok(None),
                Long("resume") => resume = Some(args.value()?.string()?),
                Long(name) => {
                    let name = name.to_owned();
                    options.take(&name, &mut args)?;
                }
                other @ Short(_) => return Err(super::unknown(other, HELP)),
            }
        }
        options.start = start(&words.join(" "), resume)?;
        let is_elsewhere = options.url.is_some() && options.state.is_some();
        ensure!(
            !is_elsewhere,
            "a Quarry that runs elsewhere keeps what it finds; leave out --state or --url"
        );
        options.served.check(options.url.as_deref())?;
        if matches!(options.start, Start::Resume(_)) {
            let fixed = options.model.is_some() || options.effort.is_some();
            let is_moved = options.sources.is_some() || options.collection.is_some();
            ensure!(
                !fixed && !is_moved,
                "a run keeps its model, its effort and where it looks; --set can make its bounds wider"
            );
        } else {
            Places::check(options.sources, options.collection.as_deref())?;
            ensure!(!options.force, "--force is for a run that is resumed; add --resume ID");
        }
        Ok(Some(options))
    }

    fn take(&mut self, name: &str, args: &mut lexopt::Parser) -> Result<()> {
        match name {
            "model" => self.model = Some(args.value()?.string()?),
            "effort" => self.effort = Some(effort(args.value()?.string()?)?),
            "set" => self.knobs.push(knob(&args.value()?.string()?)?),
            "budget-usd" => self.budget_usd = Some(super::dollars("--budget-usd", args)?),
            "budget-tokens" => {
                let tokens: u64 = super::number("--budget-tokens", super::WHOLE, args)?;
                ensure!(tokens > 0, "--budget-tokens wants a whole number above 0");
                self.budget_tokens = Some(tokens);
            }
            "sources" => self.sources = Some(args.value()?.parse()?),
            "collection" => self.collection = Some(args.value()?.string()?),
            "force" => self.force = true,
            "guidance" => self.guidance = Some(args.value()?.string()?),
            "report" => self.report = Some(report(args.value()?.into())?),
            "json" => self.json = true,
            "state" => self.state = Some(args.value()?.into()),
            "url" => self.url = Some(super::address(args.value()?.string()?)?),
            "budget" => bail!("there are two budgets: --budget-usd and --budget-tokens"),
            other => {
                let is_known = self.served.take(other, args)?;
                return if is_known { Ok(()) } else { Err(super::unknown(Long(other), HELP)) };
            }
        }
        Ok(())
    }
}

fn start(task: &str, resume: Option<String>) -> Result<Start> {
    match (task.trim().is_empty(), resume) {
        (true, None) => bail!("there is no task\n\n{HELP}"),
        (false, None) => Ok(Start::Task(task.to_owned())),
        (true, Some(id)) => {
            let is_id = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
            ensure!(is_id, "--resume wants the id of a run, and `{id}` is none");
            Ok(Start::Resume(id))
        }
        (false, Some(_)) => {
            bail!("a run that is resumed has its task; leave out the task or --resume")
        }
    }
}

fn effort(word: String) -> Result<String> {
    let known = EFFORTS.contains(&word.as_str());
    ensure!(known, "`{word}` is no effort; there are `quick`, `standard` and `deep`");
    Ok(word)
}

fn knob(text: &str) -> Result<(String, String)> {
    let pair = text.split_once('=').map(|(knob, value)| (knob.trim(), value.trim()));
    let Some((knob, value)) = pair
        .filter(|(knob, value)| !value.is_empty() && knob.split('.').all(|part| !part.is_empty()))
    else {
        bail!("--set wants a knob and its value, such as max_depth=1, and not `{text}`");
    };
    Ok((knob.to_owned(), value.to_owned()))
}

fn report(file: PathBuf) -> Result<(PathBuf, ReportForm)> {
    let Some(form) = ReportForm::of(&file) else {
        bail!("--report wants a file that ends in .md, .html or .json, and not {}", file.display());
    };
    // Research is paid for: that its report cannot be kept is to be known before.
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        bail!("--report wants a file in a folder that is there, and {} is none", folder.display());
    }
    Ok((file, form))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<Option<Options>> {
        Options::parse(lexopt::Parser::from_args(words))
    }

    fn read(words: &[&str]) -> Options {
        parse(words).unwrap().unwrap()
    }

    fn refused(words: &[&str]) -> String {
        parse(words).unwrap_err().to_string()
    }

    #[test]
    fn a_task_may_be_several_words_and_a_run_is_resumed_by_its_id() {
        let options = read(&["Who", "built it?", "--set", "max_depth=1", "--set=timeouts.run=60"]);
        assert_eq!(options.start, Start::Task("Who built it?".to_owned()));
        let knobs = [("max_depth", "1"), ("timeouts.run", "60")];
        let expected: Vec<_> = knobs.map(|(knob, to)| (knob.to_owned(), to.to_owned())).into();
        assert_eq!(options.knobs, expected);
        let options = read(&["--resume", "01ab", "--budget-usd", "0.5", "--no-build", "--state=a"]);
        assert_eq!(options.state, Some("a".into()));
        assert_eq!(options.start, Start::Resume("01ab".to_owned()));
        assert_eq!((options.budget_usd, options.served.builds), (Some(0.5), false));
        let options = read(&["x", "--sources", "knowledge", "--collection=boats"]);
        assert_eq!(options.sources, Some(Places::Knowledge));
        assert_eq!(options.collection.as_deref(), Some("boats"));
        assert!(parse(&["--help"]).unwrap().is_none());
    }

    #[test]
    fn a_report_has_the_form_of_its_ending() {
        for (file, form) in [
            ("src/a.md", ReportForm::Markdown),
            ("a.HTML", ReportForm::Html),
            ("a.b.json", ReportForm::Json),
        ] {
            assert_eq!(read(&["x", "--report", file]).report, Some((file.into(), form)));
        }
        for file in ["report", "report.pdf", ".md"] {
            assert!(refused(&["x", "--report", file]).contains(".md, .html or .json"), "{file}");
        }
        assert!(refused(&["x", "--report", "not-there/a.md"]).contains("not-there is none"));
    }

    #[test]
    fn mistakes_are_refused_before_anything_is_built_and_name_what_was_meant() {
        for (bad, told) in [
            (&[][..], "there is no task"),
            (&["x", "--modell", "y"], "nearest is --model"),
            (&["x", "--efort", "quick"], "nearest is --effort"),
            (&["x", "--nobuild"], "nearest is --no-build"),
            (&["x", "--guide", "y"], "nearest is --guidance"),
            (&["x", "--budget", "1"], "--budget-usd and --budget-tokens"),
            (&["x", "--budget-tokens", "0"], "above 0"),
            (&["x", "--force"], "add --resume"),
            (&["x", "--url", "localhost:7100"], "begins with http://"),
            (&["x", "--url", "http://a", "--state", "b"], "leave out --state or --url"),
            (&["x", "--budget-usd", "NaN"], "above 0"),
            (&["x", "--effort", "much"], "`quick`, `standard` and `deep`"),
            (&["x", "--set", "max_depth"], "such as max_depth=1"),
            (&["x", "--set", "timeouts.=1"], "such as max_depth=1"),
            (&["x", "--runtime", "wasm"], "`local` and `spin`"),
            (&["x", "--resume", "01ab"], "leave out the task or --resume"),
            (&["--resume", "a/b"], "id of a run"),
            (&["--resume", "01ab", "--model", "a:b"], "keeps its model"),
            (&["--resume", "01ab", "--sources", "both"], "where it looks"),
            (&["x", "--sources", "books"], "none of web, knowledge and both"),
            (&["x", "--collection", "boats"], "add --sources knowledge"),
            (&["x", "-q"], "-q"),
        ] {
            assert!(refused(bad).contains(told), "{bad:?}: {}", refused(bad));
        }
    }
}
