//! What README.md says in code.

use crate::quarry::root;
use anyhow::{Context, Result};
use std::fs;

/// The address that stands in the README.
pub const ADDRESS: &str = "http://127.0.0.1:3000";

/// Code between fences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The heading that it stands under.
    pub heading: String,
    /// What the fence says of it.
    pub language: String,
    /// The lines.
    pub text: String,
}

impl Block {
    /// With another address.
    pub fn at(&self, url: &str) -> String {
        self.text.replace(ADDRESS, url)
    }
}

/// All blocks of the section with this title, in their order.
///
/// # Errors
/// When there is no such section.
pub fn blocks(section: &str) -> Result<Vec<Block>> {
    let text = fs::read_to_string(root().join("README.md"))?;
    in_section(&text, section)
}

/// The blocks under a heading that are in this language.
///
/// # Errors
/// When there is none.
pub fn under(section: &str, heading: &str, language: &str) -> Result<Vec<Block>> {
    let mut found = blocks(section)?;
    found.retain(|block| block.heading == heading && block.language == language);
    found.first().with_context(|| format!("README: no {language} under “{heading}”"))?;
    Ok(found)
}

fn in_section(text: &str, section: &str) -> Result<Vec<Block>> {
    let begin = format!("\n## {section}\n");
    let (_, rest) = text.split_once(&begin).with_context(|| format!("README: no “{section}”"))?;
    let (mut heading, mut blocks, mut open) = (section.to_owned(), Vec::new(), None);
    for line in rest.lines() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(_), Some(block)) => blocks.push(block),
            (Some(language), None) => {
                let (heading, language) = (heading.clone(), language.trim().to_owned());
                open = Some(Block { heading, language, text: String::new() });
            }
            (None, Some(mut block)) => {
                block.text += line;
                block.text.push('\n');
                open = Some(block);
            }
            (None, None) if line.starts_with("## ") => break,
            (None, None) => {
                if let Some(title) = line.strip_prefix("### ") {
                    title.clone_into(&mut heading);
                }
            }
        }
    }
    Ok(blocks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_found_by_heading_and_language() {
        let text = "# x\n## A\n```sh\n## no heading\n```\n### B\n```js\n1\n\n2\n```\n## C\n```js\n3\n```\n";
        let found = in_section(text, "A").unwrap();
        let told: Vec<_> =
            found.iter().map(|it| (&*it.heading, &*it.language, &*it.text)).collect();
        assert_eq!(told, [("A", "sh", "## no heading\n"), ("B", "js", "1\n\n2\n")]);
        assert!(in_section(text, "D").is_err());
    }
}
