//! What may be said after `cargo xtask ingest`.

use anyhow::{Result, bail};
use lexopt::prelude::*;
use std::path::PathBuf;

/// What the task says of itself.
pub const HELP: &str = "\
Usage: cargo xtask ingest PATH [options]

Loads documents into a running Quarry: a folder with all that is below it, a file, or an archive
(.zip, .tar, .tar.gz, .tgz), which may also lie in the folder. Markdown, text, HTML, PDF, DOCX, CSV
and JSON are read. The first folder of a name is the category of a document that names none.

  --url URL           where Quarry listens (http://127.0.0.1:3000)
  --collection NAME   which collection they belong to (default)
  --origin NAME       what is kept as where they come from (the name of PATH, and a mark of where it lies)
  --replace           files take the place of documents of the same path that come from elsewhere, and
                      of files that have the same `id`

A document is known by its path below PATH. What is there already with the same bytes is not changed,
so a load that was interrupted is gone on with by beginning it again. A file that was changed takes the
place of the old one. The name of PATH is kept with each, and a mark of where it lies, which does not tell
the way to it: a file whose path is that of another document from elsewhere is refused. Load a second folder
into a collection of its own, or say --replace where it was moved; where PATH lies elsewhere each time, as in
the checkouts of a CI, name it by --origin. Of two files that say the same `id` the second is refused; where
a file was renamed, say --replace.

A file that is refused stops no other; each is named at the end with its cause, and the exit code is 1.
Names that begin with a dot are left out, links are not followed. An archive has at most 100,000 entries
and unpacks to at most 1 GiB; nothing of it is written anywhere, and archives within archives are refused.

ACCESS_SECRET from the environment is sent along.
";

/// Where Quarry listens unless it is told otherwise.
const URL: &str = "http://127.0.0.1:3000";

/// What is loaded, and where.
#[derive(Debug, PartialEq, Eq)]
pub struct Options {
    /// A folder, a file or an archive.
    pub path: PathBuf,
    /// Where Quarry listens.
    pub url: String,
    /// None: the server's default.
    pub collection: Option<String>,
    /// None: the path's name, with a mark of where it lies.
    pub origin: Option<String>,
    /// Whether files take the place of documents of the same path from elsewhere, and of those of the same id.
    pub replace: bool,
}

impl Options {
    /// Reads them; none: help is wanted.
    ///
    /// # Errors
    /// Where nothing is named, or more than one thing.
    pub fn parse(args: lexopt::Parser) -> Result<Option<Options>> {
        Options::read(args).map_err(|error| super::wrong(&error))
    }

    fn read(mut args: lexopt::Parser) -> Result<Option<Options>> {
        let (mut path, mut url, mut collection) = (None, URL.to_owned(), None);
        let (mut origin, mut replace) = (None, false);
        while let Some(arg) = args.next()? {
            match arg {
                Value(value) if path.is_none() => path = Some(PathBuf::from(value)),
                Long("url") => url = super::address(args.value()?.string()?)?,
                Long("collection") => collection = Some(args.value()?.string()?),
                Long("origin") => origin = Some(args.value()?.string()?),
                Long("replace") => replace = true,
                Short('h') | Long("help") => return Ok(None),
                other => return Err(super::unknown(other, HELP)),
            }
        }
        let Some(path) = path else {
            bail!("name a folder, a file or an archive\n\n{HELP}");
        };
        Ok(Some(Options { path, url, collection, origin, replace }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<Option<Options>> {
        Options::parse(lexopt::Parser::from_args(words))
    }

    #[test]
    fn what_and_where_are_said() {
        let plain = parse(&["docs"]).unwrap().unwrap();
        assert_eq!((plain.url.as_str(), plain.collection, plain.replace), (URL, None, false));
        let meant = parse(&["docs", "--replace", "--origin", "handbook"]).unwrap().unwrap();
        assert_eq!((meant.replace, meant.origin.as_deref()), (true, Some("handbook")));
        let told =
            parse(&["--url", "https://q.test", "a.zip", "--collection", "notes"]).unwrap().unwrap();
        assert_eq!(told.path, PathBuf::from("a.zip"));
        assert_eq!(
            (told.url.as_str(), told.collection.as_deref()),
            ("https://q.test", Some("notes"))
        );
    }

    #[test]
    fn mistakes_are_refused_before_anything_is_built() {
        for bad in
            [&[][..], &["a", "b"], &["a", "--url", "localhost:3000"], &["a", "--colection", "x"]]
        {
            assert!(parse(bad).is_err(), "{bad:?}");
        }
        assert!(parse(&["--help"]).unwrap().is_none());
    }
}
