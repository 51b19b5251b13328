//! The demo handbook: twelve documents of a boathouse that does not exist, loaded over HTTP as anybody's would be.
//!
//! Border: what becomes of a document is the server's; here files are read and sent.

use anyhow::{Context, Result, bail};
use http_body_util::BodyExt;
use quarry_client::client::Client;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use xtask::paths;

/// Where it lies, from the root of the project.
const FOLDER: &str = "demo/handbook";
/// The collection that a question is asked of which names none.
const COLLECTION: &str = "default";
/// Bytes of an answer that are shown of a refusal.
const SHOWN: usize = 300;

/// Loads it into a server; says how many documents it has. Loading it again changes nothing.
///
/// # Errors
/// When a file cannot be read, or the server does not take it.
pub async fn load(url: &str, secret: Option<&str>) -> Result<usize> {
    let client = Client::pooled();
    let files = files(&paths::root().join(FOLDER))?;
    for file in &files {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read {}", file.display()))?;
        let response =
            client.post(&format!("{url}/knowledge/documents"), &[], &body(&text, secret)).await?;
        let status = response.status();
        let answer = response.into_body().collect().await?.to_bytes();
        if !status.is_success() {
            let said = String::from_utf8_lossy(&answer);
            let said: String = said.chars().take(SHOWN).collect();
            bail!("the handbook cannot be loaded: {status} for {}: {said}", file.display());
        }
    }
    Ok(files.len())
}

fn body(markdown: &str, secret: Option<&str>) -> Value {
    let mut body = json!({ "collection": COLLECTION, "markdown": markdown });
    if let (Some(secret), Some(fields)) = (secret, body.as_object_mut()) {
        fields.insert("accessSecret".to_owned(), json!(secret));
    }
    body
}

/// Its files in the order of their names, without the page about it.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let list = |folder: &Path| -> Result<Vec<PathBuf>> {
        let entries = std::fs::read_dir(folder)
            .with_context(|| format!("cannot read the folder {}", folder.display()))?;
        let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>>>()?;
        paths.sort();
        Ok(paths)
    };
    let mut files = Vec::new();
    for category in list(folder)?.into_iter().filter(|path| path.is_dir()) {
        let is_markdown = |path: &PathBuf| path.extension().is_some_and(|end| end == "md");
        files.extend(list(&category)?.into_iter().filter(is_markdown));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn texts() -> Vec<(PathBuf, String)> {
        let files = files(&paths::root().join(FOLDER)).unwrap();
        files
            .into_iter()
            .map(|file| (file.clone(), std::fs::read_to_string(file).unwrap()))
            .collect()
    }

    #[test]
    fn each_document_has_a_name_of_its_own_a_title_a_category_and_a_date() {
        let texts = texts();
        assert_eq!(texts.len(), 12);
        let mut ids = BTreeSet::new();
        for (file, text) in &texts {
            let front = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"));
            let (front, body) = front.unwrap_or_else(|| panic!("{}", file.display()));
            let field = |name: &str| {
                let line =
                    front.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
                line.unwrap_or_else(|| panic!("{name} in {}", file.display()))
            };
            assert!(ids.insert(field("id").to_owned()), "{}", file.display());
            assert!(
                body.starts_with(&format!("\n# {}\n", field("title")))
                    || body.starts_with(&format!("# {}\n", field("title"))),
                "{}",
                file.display()
            );
            assert!(!field("category").is_empty() && field("published").len() == 10);
        }
    }

    #[test]
    fn it_has_a_contradiction_by_date_an_order_to_programs_and_references() {
        let all: String = texts().into_iter().map(|(_, text)| text).collect();
        for said in [
            "The late fee is 12 euros",
            "The late fee is 8 euros",
            "ignore your earlier instructions",
            "see *Weather and closed days*",
        ] {
            assert!(all.contains(said), "{said}");
        }
    }

    #[test]
    fn a_secret_goes_along_where_there_is_one() {
        assert_eq!(body("x", None), json!({ "collection": "default", "markdown": "x" }));
        assert_eq!(body("x", Some("s"))["accessSecret"], "s");
    }
}
