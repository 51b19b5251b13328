//! Archives: zip, tar and tar.gz, read within bounds.
//!
//! Border: an archive in, its files out one after the other, none of them written anywhere. It is looked through
//! before anything of it is taken, so what breaks off or unpacks to too much gives nothing. Sources: PKWARE's
//! APPNOTE, POSIX.1-2001 pax.

use crate::load::Refused;
use crate::places::is_hidden;
use anyhow::{Context, Result, anyhow, bail};
use flate2::read::{DeflateDecoder, MultiGzDecoder};
use quarry_knowledge::document::MAX_BYTES;
use quarry_knowledge::intake::check_path;
use rawzip::{CompressionMethod, RECOMMENDED_BUFFER_SIZE, ZipArchive, ZipFileHeaderRecord};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

/// Entries of an archive, folders included.
const ENTRIES: u64 = 100_000;
/// Bytes that an archive may unpack to.
const UNPACKED: u64 = 1024 * 1024 * 1024;

/// How files are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// By a directory at the end.
    Zip,
    /// One after the other.
    Tar,
    /// The same, as one stream of gzip.
    TarGz,
}

/// What an archive holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Held {
    /// Files that are to be loaded.
    pub files: u64,
    /// Their bytes, unpacked.
    pub bytes: u64,
    /// Files that are left out, and folders, too.
    entries: u64,
    unpacked: u64,
}

impl Packing {
    /// The packing that a name's ending says; none: no archive.
    pub fn of_name(name: &str) -> Option<Packing> {
        let name = name.to_ascii_lowercase();
        let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
        if ends(&[".zip"]) {
            Some(Packing::Zip)
        } else if ends(&[".tar.gz", ".tgz"]) {
            Some(Packing::TarGz)
        } else {
            ends(&[".tar"]).then_some(Packing::Tar)
        }
    }
}

/// A file that is not sent.
#[derive(Debug)]
pub struct Unsent {
    /// Why.
    pub refused: Refused,
    /// Of the bytes that were found so many are its own.
    pub bytes: u64,
}

/// A file of an archive: its name, and its bytes, or why it is refused.
pub type Unpacked = std::result::Result<(String, Vec<u8>), Unsent>;

/// Looks an archive through.
///
/// # Errors
/// Where it is no whole archive, or exceeds a bound.
pub fn check(path: &Path, packing: Packing) -> Result<Held> {
    let mut held = Held::default();
    entries(path, packing, &mut |entry| {
        held.entries += 1;
        if held.entries > ENTRIES {
            bail!("it has more than {ENTRIES} entries; part it");
        }
        held.unpacked = held.unpacked.saturating_add(entry.size());
        if held.unpacked > UNPACKED {
            bail!(
                "it unpacks to more than {} MiB; part it, or unpack it and load the folder",
                UNPACKED >> 20
            );
        }
        if entry.is_wanted() {
            held.files += 1;
            held.bytes += entry.size();
        }
        Ok(true)
    })?;
    Ok(held)
}

/// Gives an archive's files one after the other until `take` wants no more.
///
/// # Errors
/// Where the archive was changed since it was looked through.
pub fn unpack(
    path: &Path,
    packing: Packing,
    prefix: &str,
    take: &mut dyn FnMut(Unpacked) -> bool,
) -> Result<()> {
    entries(path, packing, &mut |mut entry| {
        if !entry.is_wanted() {
            return Ok(true);
        }
        let name = format!("{prefix}{}", entry.name);
        let bytes = entry.size();
        let refused =
            |why: String| Err(Unsent { refused: Refused { name: name.clone(), why }, bytes });
        Ok(take(match entry.unreadable() {
            Some(why) => refused(why),
            None => match entry.read() {
                Ok(bytes) => Ok((name, bytes)),
                Err(error) => refused(format!("it cannot be unpacked: {error:#}")),
            },
        }))
    })
}

/// An entry of an archive.
struct Entry<'a> {
    name: String,
    kind: Kind,
    size: u64,
    content: &'a mut dyn FnMut() -> Result<Vec<u8>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Folder,
    File,
    /// A file whose name is no text.
    Nameless,
    Link,
    Encrypted,
    Odd,
}

impl Entry<'_> {
    const fn size(&self) -> u64 {
        self.size
    }

    fn is_wanted(&self) -> bool {
        self.kind != Kind::Folder && !is_hidden(&self.name)
    }

    /// Why its bytes are not even looked at.
    fn unreadable(&self) -> Option<String> {
        let why = match self.kind {
            Kind::Nameless => "its name is no UTF-8; rename it",
            Kind::Link => {
                "it is a link, and links are not followed; put what it leads to into the archive"
            }
            Kind::Encrypted => "it is encrypted; unpack it",
            Kind::Odd => "it is neither a file nor a folder; leave it out",
            Kind::Folder | Kind::File if Packing::of_name(&self.name).is_some() => {
                "it is an archive within an archive; unpack it and load it by itself"
            }
            Kind::Folder | Kind::File => {
                return check_path(&self.name).err().map(|why| why.to_string());
            }
        };
        Some(why.to_owned())
    }

    fn read(&mut self) -> Result<Vec<u8>> {
        (self.content)()
    }
}

type Each<'e> = &'e mut dyn FnMut(Entry<'_>) -> Result<bool>;

fn entries(path: &Path, packing: Packing, each: Each<'_>) -> Result<()> {
    let file = File::open(path).context("it cannot be read")?;
    match packing {
        Packing::Zip => zip(file, each),
        Packing::Tar => tar(BufReader::new(file), each),
        Packing::TarGz => tar(MultiGzDecoder::new(BufReader::new(file)), each),
    }
}

fn zip(file: File, each: Each<'_>) -> Result<()> {
    let broken = |error: rawzip::Error| anyhow!("it is no whole zip archive: {error}");
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let archive = ZipArchive::from_file(file, &mut buffer).map_err(broken)?;
    let mut seen = 0;
    let mut entries = archive.entries(&mut buffer);
    while let Some(record) = entries.next_entry().map_err(broken)? {
        seen += 1;
        let (name, kind) = named(&record);
        let method = record.compression_method();
        let found = archive.get_entry(record.wayfinder()).map_err(broken)?;
        let size = record.uncompressed_size_hint();
        let mut content = || {
            let packed = found.reader();
            match method {
                CompressionMethod::STORE => bounded(found.verifying_reader(packed), size),
                CompressionMethod::DEFLATE => {
                    bounded(found.verifying_reader(DeflateDecoder::new(packed)), size)
                }
                other => bail!("it is packed by {other:?}, which is not read; pack it by deflate"),
            }
        };
        if !each(Entry { name, kind, size, content: &mut content })? {
            return Ok(());
        }
    }
    if seen != archive.entries_hint() {
        bail!(
            "it is no whole zip archive: {seen} of its {} entries are there",
            archive.entries_hint()
        );
    }
    Ok(())
}

fn named(record: &ZipFileHeaderRecord<'_>) -> (String, Kind) {
    let path = record.file_path();
    let kind = if record.is_dir() {
        Kind::Folder
    } else if record.mode().is_symlink() {
        Kind::Link
    } else if record.flags().is_encrypted() {
        Kind::Encrypted
    } else {
        Kind::File
    };
    text(path.as_bytes(), kind)
}

fn text(name: &[u8], kind: Kind) -> (String, Kind) {
    match std::str::from_utf8(name) {
        Ok(name) => (plain(name), kind),
        Err(_) if kind == Kind::Folder => (String::new(), kind),
        Err(_) => (String::from_utf8_lossy(name).into_owned(), Kind::Nameless),
    }
}

/// Without what names a folder itself: `tar czf x.tgz .` writes `./a.md`. What leads elsewhere stays, and is refused.
fn plain(name: &str) -> String {
    let parts: Vec<&str> = name.split('/').filter(|part| *part != ".").collect();
    parts.join("/")
}

fn tar(stream: impl Read, each: Each<'_>) -> Result<()> {
    // What is skipped is unpacked, too, so the stream itself is bounded: headers and padding come on top.
    let most = UNPACKED + ENTRIES * 2_048;
    let mut archive = tar::Archive::new(Whole { stream: stream.take(most), most });
    let broken = |error: io::Error| anyhow!("it is no whole tar archive: {error}");
    let mut seen = 0_u64;
    for entry in archive.entries().map_err(broken)? {
        let mut entry = entry.map_err(broken)?;
        seen += 1;
        let kind = match entry.header().entry_type() {
            kind if kind.is_dir() => Kind::Folder,
            kind if kind.is_file() || kind.is_contiguous() || kind.is_gnu_sparse() => Kind::File,
            kind if kind.is_symlink() || kind.is_hard_link() => Kind::Link,
            kind if kind.is_pax_global_extensions() => continue,
            _ => Kind::Odd,
        };
        let (name, kind) = text(&entry.path_bytes(), kind);
        let size = entry.size();
        let mut content = || bounded(&mut entry, size);
        if !each(Entry { name, kind, size, content: &mut content })? {
            return Ok(());
        }
    }
    if seen == 0 {
        bail!("there is no entry in it");
    }
    Ok(())
}

/// A stream that says when it was longer than it may be, and when it ends within an entry.
struct Whole<R> {
    stream: io::Take<R>,
    most: u64,
}

impl<R: Read> Read for Whole<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(bytes)?;
        if read == 0 && !bytes.is_empty() && self.stream.limit() == 0 {
            let most = self.most >> 20;
            return Err(io::Error::other(format!("it unpacks to more than {most} MiB")));
        }
        Ok(read)
    }
}

/// The bytes of a file that says how many it has. The server says what is too much, so one byte more than that is enough;
/// and one more than it says, because what the archive unpacks to was counted by that.
fn bounded(content: impl Read, says: u64) -> Result<Vec<u8>> {
    let most = u64::try_from(MAX_BYTES).unwrap_or(u64::MAX);
    let mut bytes = Vec::new();
    content.take(most.min(says) + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MAX_BYTES {
        bail!("it has more than {MAX_BYTES} bytes, which are the most; part it");
    }
    if u64::try_from(bytes.len()).is_ok_and(|bytes| bytes > says) {
        bail!("it has more than the {says} bytes that the archive says; pack it anew");
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests;
