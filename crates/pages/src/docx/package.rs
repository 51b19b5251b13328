//! The parts of a package: XML files in a zip archive, unpacked one by one within bounds.

use super::DocxError;
use crate::deflate;
use flate2::read::DeflateDecoder;
use quick_xml::events::Event;
use quick_xml::reader::Reader;
use rawzip::{CompressionMethod, ZipArchive, ZipSliceArchive};
use std::io::Read as _;

/// Parts of a package that are looked at.
const PARTS: usize = 10_000;
/// Bytes of all parts that are read, unpacked. Each is read in one go, and nothing else is done meanwhile.
const ALL: u64 = 32 * 1024 * 1024;
/// Bytes of a part that says little: the package's relations, who wrote it.
const SMALL: u64 = 1024 * 1024;
/// Packed bytes of a part whose blocks are not counted: as many as hold none that take long.
const UNCOUNTED: usize = 128 * 1024;
/// Packed bytes that a block has, on average. Blocks take as long as 2,000 letters, and packers write none of fewer than
/// some hundred bytes.
const BLOCK: usize = 64;
/// How files begin that are encrypted, or older than the format.
const COMPOUND: &[u8] = b"\xd0\xcf\x11\xe0";

pub struct Package<'b> {
    archive: ZipSliceArchive<&'b [u8]>,
    /// Bytes that may still be read.
    left: u64,
}

impl<'b> Package<'b> {
    pub fn open(bytes: &'b [u8]) -> Result<Package<'b>, DocxError> {
        if bytes.starts_with(COMPOUND) {
            return Err(DocxError::Password);
        }
        let archive = ZipArchive::from_slice(bytes).map_err(|_| DocxError::Damaged)?;
        Ok(Package { archive, left: ALL })
    }

    /// The text of the document itself, which the package's relations name.
    pub fn main(&mut self) -> Result<String, DocxError> {
        let relations = self.small_part("_rels/.rels")?.unwrap_or_default();
        let named = target(&relations);
        let name = named.as_deref().unwrap_or("word/document.xml");
        self.part(name.trim_start_matches('/'))?.ok_or(DocxError::NoDocument)
    }

    /// A part by its name; none: there is none.
    pub fn part(&mut self, name: &str) -> Result<Option<String>, DocxError> {
        self.unpacked(name, ALL)
    }

    /// The same of one that says little.
    pub fn small_part(&mut self, name: &str) -> Result<Option<String>, DocxError> {
        self.unpacked(name, SMALL)
    }

    fn unpacked(&mut self, name: &str, most: u64) -> Result<Option<String>, DocxError> {
        let most = most.min(self.left);
        let mut entries = self.archive.entries();
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
            let found =
                self.archive.get_entry(entry.wayfinder()).map_err(|_| DocxError::Damaged)?;
            let mut bytes = Vec::new();
            let read = match entry.compression_method() {
                CompressionMethod::STORE => found.data().take(most + 1).read_to_end(&mut bytes),
                CompressionMethod::DEFLATE => {
                    check(found.data(), most)?;
                    DeflateDecoder::new(found.data()).take(most + 1).read_to_end(&mut bytes)
                }
                _ => return Err(DocxError::Damaged),
            };
            read.map_err(|_| DocxError::Damaged)?;
            let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
            if length > most {
                return Err(DocxError::Bomb);
            }
            self.left -= length;
            // Most are UTF-8 as it should be, and then there is no second one of so many bytes.
            let text = String::from_utf8(bytes)
                .unwrap_or_else(|error| encoding_rs::UTF_8.decode(error.as_bytes()).0.into_owned());
            return Ok(Some(text));
        }
        Err(DocxError::Bomb)
    }
}

/// Refuses what is packed in blocks that hold nearly nothing: a decoder goes over all of them before it gives a byte, and
/// gives none where they are many.
fn check(packed: &[u8], most: u64) -> Result<(), DocxError> {
    if packed.len() <= UNCOUNTED {
        return Ok(());
    }
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let counted = deflate::count_by_rule(packed, most);
    let has_small = counted.blocks > (counted.taken + UNCOUNTED) / BLOCK;
    // What could not be counted to its end, another decoder may read otherwise.
    let is_known = counted.is_whole || counted.given > most;
    if has_small || !is_known { Err(DocxError::Damaged) } else { Ok(()) }
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
