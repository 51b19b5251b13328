//! Files of a form, each a document, and what its fields say of all of them.
//!
//! Border: parts in, documents as they come out. What a field says is there once, however many files there are.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::Value;

use super::order::{Content, FieldValue, Replace, Source};
use super::{body, bounded, collection_of, multipart};
use crate::nearest::shown;
use crate::once::{self, Once, TWICE};
use crate::runs::Credentials;
use crate::{Hidden, Refusal};

/// Bytes of a form's metadata, which are those of each of its files.
pub(super) const MOST_METADATA_BYTES: usize = 128 * 1024;

/// The names of metadata that say which document it is, in small letters and with `_` for blanks and dashes.
const OWN_IDS: [&str; 3] = ["id", "doc_id", "document_id"];

/// What the fields of a form say.
#[derive(Default)]
struct Fields {
    collection: Option<String>,
    metadata: Arc<[(String, FieldValue)]>,
    origin: Option<Arc<str>>,
    replace: Replace,
    credentials: Credentials,
}

/// The files of a form, with what its fields say about all of them.
pub(super) fn files(
    parts: Vec<multipart::Part<'_>>,
) -> Result<(Vec<Source>, Credentials), Refusal> {
    let (mut fields, mut files) = (Fields::default(), Vec::new());
    let mut said = HashSet::new();
    for part in parts {
        let bytes = part.bytes.to_vec();
        if let Some(name) = part.file {
            files.push(Content::File { name, media_type: part.media_type, bytes });
            continue;
        }
        let no_text = |_| Refusal::field(&part.name, "is no text in UTF-8");
        let text = String::from_utf8(bytes).map_err(no_text)?;
        if text.is_empty() {
            continue;
        }
        fields.take(&part.name, text)?;
        if let Some(name) = said.replace(part.name) {
            return Err(Refusal::field(&name, TWICE));
        }
    }
    fields.fit(&files)?;
    let Fields { collection, metadata, origin, replace, credentials } = fields;
    let sources = files.into_iter().map(|content| Source {
        collection: collection.clone(),
        content,
        title: None,
        metadata: Arc::clone(&metadata),
        origin: origin.clone(),
        replace,
    });
    Ok((sources.collect(), credentials))
}

impl Fields {
    fn take(&mut self, name: &str, text: String) -> Result<(), Refusal> {
        match name {
            "collection" => self.collection = Some(collection_of(text)?),
            "metadata" => self.metadata = metadata(&text)?,
            "origin" => {
                let origin = bounded::<{ body::ORIGIN }>(name, text)?;
                self.origin = Some(Arc::from(origin));
            }
            "replace" => {
                let wants = |_| Refusal::field(name, "wants true or false");
                self.replace = Replace::said(Some(text.parse::<bool>().map_err(wants)?));
            }
            "accessSecret" => self.credentials.secret = Some(Hidden(text)),
            "google_token" => self.credentials.google_token = Some(Hidden(text)),
            other => {
                let known = "is no field here; there are file, collection, metadata, origin, replace, accessSecret and \
                     google_token, and a file needs its name (filename=)";
                return Err(Refusal::field(shown(other), known));
            }
        }
        Ok(())
    }

    /// Whether there are files, and what is said of them can be true of all.
    fn fit(&self, files: &[Content]) -> Result<(), Refusal> {
        if files.is_empty() {
            return Err(Refusal::field("file", "is missing; send at least one file with its name"));
        }
        let is_id =
            |name: &str| OWN_IDS.contains(&name.to_lowercase().replace([' ', '-'], "_").as_str());
        if let Some((name, _)) = self.metadata.iter().find(|(name, _)| is_id(name))
            && files.len() > 1
        {
            let wants =
                "names one document, and the form has several files; send one, or leave it out";
            return Err(Refusal::field(&format!("metadata.{}", shown(name)), wants));
        }
        if let Some(name) = twice(files) {
            let wants = format!(
                "has `{}` twice; a document is known by its file's name: give each its own, as with its folder",
                shown(name)
            );
            return Err(Refusal::field("file", &wants));
        }
        Ok(())
    }
}

fn metadata(text: &str) -> Result<Arc<[(String, FieldValue)]>, Refusal> {
    if text.len() > MOST_METADATA_BYTES {
        let most = MOST_METADATA_BYTES / 1024;
        return Err(Refusal::field("metadata", &format!("is over {most} KiB; send less")));
    }
    let no_object =
        |why: &str| Refusal::field("metadata", &format!("is not a JSON object ({why})"));
    match once::read(text.as_bytes()) {
        Ok(Once { twice: Some(name), .. }) => {
            Err(Refusal::field(&format!("metadata.{name}"), TWICE))
        }
        Ok(Once { value: Value::Object(fields), .. }) => Ok(body::fields(fields)?.into()),
        Ok(_) => Err(no_object("it is another kind of value")),
        Err(error) => Err(no_object(&error.to_string())),
    }
}

/// A name that two files have: the second would take the place of the first.
fn twice(files: &[Content]) -> Option<&str> {
    let mut names = HashSet::new();
    files.iter().find_map(|file| match file {
        // Names that are no text look alike; each is refused by itself.
        Content::File { name, .. } if name.contains(char::REPLACEMENT_CHARACTER) => None,
        Content::File { name, .. } => (!names.insert(name)).then_some(name.as_str()),
        Content::Text(_) | Content::Markdown(_) | Content::Html(_) | Content::Url(_) => None,
    })
}
