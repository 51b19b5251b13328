//! The parts of a package: XML files in a zip archive, unpacked one by one within bounds.

use super::DocxError;
use flate2::read::DeflateDecoder;
use quick_xml::events::Event;
use quick_xml::reader::Reader;
use rawzip::{CompressionMethod, ZipArchive, ZipSliceArchive};
use std::io::Read as _;

/// Parts of a package that are looked at.
const PARTS: usize = 10_000;
/// Bytes of a part, unpacked.
const PART: u64 = 32 * 1024 * 1024;
/// How files begin that are encrypted, or older than the format.
const COMPOUND: &[u8] = b"\xd0\xcf\x11\xe0";

pub struct Package<'b>(ZipSliceArchive<&'b [u8]>);

impl<'b> Package<'b> {
    pub fn open(bytes: &'b [u8]) -> Result<Package<'b>, DocxError> {
        if bytes.starts_with(COMPOUND) {
            return Err(DocxError::Password);
        }
        ZipArchive::from_slice(bytes).map(Package).map_err(|_| DocxError::Damaged)
    }

    /// The text of the document itself, which the package's relations name.
    pub fn main(&self) -> Result<String, DocxError> {
        let relations = self.part("_rels/.rels")?.unwrap_or_default();
        let named = target(&relations);
        let name = named.as_deref().unwrap_or("word/document.xml");
        self.part(name.trim_start_matches('/'))?.ok_or(DocxError::NoDocument)
    }

    /// A part by its name; none: there is none.
    pub fn part(&self, name: &str) -> Result<Option<String>, DocxError> {
        let mut entries = self.0.entries();
        for _ in 0..PARTS {
            let Some(entry) = entries.next_entry().map_err(|_| DocxError::Damaged)? else {
                return Ok(None);
            };
            if entry.file_path().as_bytes() != name.as_bytes() {
                continue;
            }
            if entry.flags().is_encrypted() {
                return Err(DocxError::Password);
            }
            let found = self.0.get_entry(entry.wayfinder()).map_err(|_| DocxError::Damaged)?;
            let mut bytes = Vec::new();
            let read = match entry.compression_method() {
                CompressionMethod::STORE => found.data().take(PART + 1).read_to_end(&mut bytes),
                CompressionMethod::DEFLATE => {
                    DeflateDecoder::new(found.data()).take(PART + 1).read_to_end(&mut bytes)
                }
                _ => return Err(DocxError::Damaged),
            };
            read.map_err(|_| DocxError::Damaged)?;
            if u64::try_from(bytes.len()).is_ok_and(|length| length > PART) {
                return Err(DocxError::Bomb);
            }
            // Most are UTF-8 as it should be, and then there is no second one of so many bytes.
            let text = String::from_utf8(bytes)
                .unwrap_or_else(|error| encoding_rs::UTF_8.decode(error.as_bytes()).0.into_owned());
            return Ok(Some(text));
        }
        Err(DocxError::Bomb)
    }
}

/// The document that relations name.
fn target(relations: &str) -> Option<String> {
    let mut reader = Reader::from_str(relations);
    loop {
        match reader.read_event().ok()? {
            Event::Start(start) | Event::Empty(start) => {
                let value = |name: &str| super::words::attribute(&start, name);
                if value("Type").is_some_and(|kind| kind.ends_with("/officeDocument")) {
                    return value("Target");
                }
            }
            Event::Eof => return None,
            _ => {}
        }
    }
}
