//! Archives as people make them, and as others make them to do harm.

use super::*;
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use rawzip::ZipArchiveWriter;
use rawzip::path::EntryPath;
use std::io::Write as _;
use std::path::PathBuf;
use tempfile::TempDir;

fn written(folder: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = ZipArchiveWriter::new(&mut bytes);
    for (name, content) in files {
        let name = EntryPath::verbatim(name.as_bytes());
        let (mut entry, config) =
            archive.new_file(name).compression_method(CompressionMethod::DEFLATE).start().unwrap();
        let mut writer = config.wrap(DeflateEncoder::new(&mut entry, Compression::fast()));
        writer.write_all(content).unwrap();
        let (encoder, descriptor) = writer.finish().unwrap();
        encoder.finish().unwrap();
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap();
    bytes
}

fn tarred(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, content) in files {
        let mut header = tar::Header::new_gnu();
        // As no well-meaning program would: the crate refuses such names.
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        archive.append(&header, *content).unwrap();
    }
    archive.into_inner().unwrap()
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// What an archive gives: each name with its text, or the cause of its refusal.
fn given(path: &Path, packing: Packing) -> Vec<(String, String)> {
    let mut all = Vec::new();
    unpack(path, packing, "", &mut |file| {
        all.push(match file {
            Ok((name, bytes)) => (name, String::from_utf8(bytes).unwrap()),
            Err(Unsent { refused: Refused { name, why }, .. }) => (name, format!("refused: {why}")),
        });
        true
    })
    .unwrap();
    all
}

const FILES: &[(&str, &[u8])] = &[
    ("guide/a.md", b"# A"),
    ("guide/.hidden", b"x"),
    ("../up.md", b"# Up"),
    ("/etc/passwd", b"root"),
    ("inner.zip", b"PK"),
    ("b.txt", b"words"),
];

#[test]
fn all_packings_give_the_same_files_and_refuse_the_same_names() {
    let folder = TempDir::new().unwrap();
    let tar = tarred(FILES);
    let archives = [
        (written(&folder, "a.zip", &zipped(FILES)), Packing::Zip),
        (written(&folder, "a.tar", &tar), Packing::Tar),
        (written(&folder, "a.tgz", &gzipped(&tar)), Packing::TarGz),
    ];
    for (path, packing) in archives {
        let held = check(&path, packing).unwrap();
        // What is hidden is unpacked, and is not among what is to be loaded.
        assert_eq!((held.files, held.bytes), (5, 18), "{packing:?}");
        assert_eq!((held.entries, held.unpacked), (6, 19), "{packing:?}");
        let given = given(&path, packing);
        let names: Vec<&str> = given.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["guide/a.md", "../up.md", "/etc/passwd", "inner.zip", "b.txt"]);
        assert_eq!((given[0].1.as_str(), given[4].1.as_str()), ("# A", "words"));
        for at in [1, 2] {
            assert!(given[at].1.contains("is no path below a folder"), "{}", given[at].1);
        }
        assert!(given[3].1.contains("archive within an archive"), "{}", given[3].1);
    }
}

#[test]
fn an_archive_of_the_folder_that_one_is_in_has_the_same_names() {
    let folder = TempDir::new().unwrap();
    let files: &[(&str, &[u8])] = &[
        ("./a.md", b"# A"),
        ("./guide/./b.md", b"# B"),
        ("./.git/config", b"x"),
        ("./../up.md", b"# Up"),
        (".//etc/passwd", b"root"),
    ];
    let tar = tarred(files);
    let archives = [
        (written(&folder, "a.zip", &zipped(files)), Packing::Zip),
        (written(&folder, "a.tgz", &gzipped(&tar)), Packing::TarGz),
    ];
    for (path, packing) in archives {
        let given = given(&path, packing);
        let names: Vec<&str> = given.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a.md", "guide/b.md", "../up.md", "/etc/passwd"], "{packing:?}");
        assert_eq!((given[0].1.as_str(), given[1].1.as_str()), ("# A", "# B"));
        for (_, refused) in &given[2..] {
            assert!(refused.contains("is no path below a folder"), "{refused}");
        }
    }
}

#[test]
fn a_broken_archive_is_refused_as_a_whole_wherever_it_breaks() {
    let folder = TempDir::new().unwrap();
    let long = "some words of a long text. ".repeat(4_000);
    let files: &[(&str, &[u8])] = &[("a.md", b"# A"), ("b.md", long.as_bytes())];
    let (zip, tar) = (zipped(files), tarred(files));
    let tgz = gzipped(&tar);
    for (bytes, packing) in [(zip, Packing::Zip), (tar, Packing::Tar), (tgz, Packing::TarGz)] {
        for part in [0, 1, 2, 3, 5, 7, 9] {
            let path = written(&folder, "cut", &bytes[..bytes.len() * part / 10]);
            let refused = check(&path, packing);
            let why = refused.map(|held| panic!("{packing:?} {part}: {held:?}")).unwrap_err();
            assert!(!why.to_string().is_empty());
        }
        let path =
            written(&folder, "no", b"this is no archive at all, but a text".repeat(40).as_slice());
        let why = check(&path, packing).unwrap_err().to_string();
        assert!(why.starts_with("it is no whole "), "{packing:?}: {why}");
    }
}

#[test]
fn a_file_that_does_not_match_its_checksum_is_refused_and_others_are_not() {
    let folder = TempDir::new().unwrap();
    let mut bytes = zipped(&[("a.md", b"some words"), ("b.md", b"others")]);
    let at = bytes.windows(4).position(|part| part == b"a.md").unwrap() + 6;
    bytes[at] ^= 0x10;
    let path = written(&folder, "a.zip", &bytes);
    let given = given(&path, Packing::Zip);
    assert!(given[0].1.starts_with("refused: it cannot be unpacked"), "{given:?}");
    assert_eq!(given[1].1, "others");
}

struct Counted<'c, R>(R, &'c mut usize);

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(bytes)?;
        *self.1 += read;
        Ok(read)
    }
}

#[test]
fn bombs_are_refused_before_they_are_unpacked() {
    let folder = TempDir::new().unwrap();
    // A directory that says of a small entry that it is 4 GB.
    let mut bytes = zipped(&[("bomb.txt", &[b'0'; 4096])]);
    let central = bytes.windows(4).rposition(|part| part == b"PK\x01\x02").unwrap();
    bytes[central + 24..central + 28].copy_from_slice(&0xFFFF_FFF0_u32.to_le_bytes());
    let path = written(&folder, "bomb.zip", &bytes);
    let why = check(&path, Packing::Zip).unwrap_err().to_string();
    assert!(why.starts_with("it unpacks to more than 1024 MiB"), "{why}");
    // One that says less than it unpacks to, and one of more than a document may have.
    let mut bytes = zipped(&[("bomb.txt", &[b'0'; 4096])]);
    bytes[central + 24..central + 28].copy_from_slice(&10_u32.to_le_bytes());
    let path = written(&folder, "lies.zip", &bytes);
    check(&path, Packing::Zip).unwrap();
    assert!(given(&path, Packing::Zip)[0].1.starts_with("refused: it cannot be unpacked"));
    // However much that is, no more of it is unpacked than it says.
    let mut unpacked = 0;
    let counted = Counted(io::repeat(b'0'), &mut unpacked);
    let why = bounded(counted, 10).unwrap_err().to_string();
    assert_eq!(why, "it has more than the 10 bytes that the archive says; pack it anew");
    assert_eq!(unpacked, 11);
    let large = vec![b'0'; MAX_BYTES + 1];
    for (bytes, packing) in [
        (zipped(&[("large.txt", &large)]), Packing::Zip),
        (gzipped(&tarred(&[("large.txt", &large)])), Packing::TarGz),
    ] {
        let path = written(&folder, "large", &bytes);
        let why = &given(&path, packing)[0].1;
        assert!(why.contains("more than 20971520 bytes, which are the most; part it"), "{why}");
    }
}

#[test]
fn too_many_entries_are_refused() {
    let folder = TempDir::new().unwrap();
    let header = tarred(&[("a", b"")])[..512].to_vec();
    let many = header.repeat(usize::try_from(ENTRIES).unwrap() + 1);
    let path = written(&folder, "many.tar", &many);
    let why = check(&path, Packing::Tar).unwrap_err().to_string();
    assert_eq!(why, "it has more than 100000 entries; part it");
}

#[test]
fn a_stream_that_unpacks_without_end_is_cut_off() {
    let mut whole = Whole { stream: io::repeat(0).take(1 << 20), most: 1 << 20 };
    let why = io::copy(&mut whole, &mut io::sink()).unwrap_err().to_string();
    assert_eq!(why, "it unpacks to more than 1 MiB");
}

#[test]
fn endings_say_how_a_file_is_packed() {
    for (name, packing) in [
        ("a.ZIP", Some(Packing::Zip)),
        ("a.tar", Some(Packing::Tar)),
        ("a.tar.gz", Some(Packing::TarGz)),
        ("a.tgz", Some(Packing::TarGz)),
        ("a.gz", None),
        ("zip", None),
    ] {
        assert_eq!(Packing::of_name(name), packing, "{name}");
    }
}
