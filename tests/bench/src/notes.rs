//! What components that were made to note the first calls of their functions have noted, read from the memory of their
//! host's process. How notes begin and what follows is told by who makes them so (`xtask/assemble/src/trace.rs`).
//!
//! Border: Linux only, which shows the memory of a process to who started it.

use anyhow::{Context as _, Result};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};

/// How notes begin.
const MAGIC: [u8; 4] = *b"QRYT";
/// What wasmtime calls a memory that begins with data, as these do.
const NAMED: &str = "wasm-memory-image";
/// Where it is counted how many functions were called; their notes follow.
const COUNT: u64 = 12;
/// Bytes of a number.
const WORD: usize = 4;
/// More functions than a module has.
const MOST: usize = 1 << 20;

/// What one module has noted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notes {
    /// The number of its first function among all that can note.
    pub first: usize,
    /// For each of its functions, which one it was to be called, from 1; 0: it was not.
    pub calls: Vec<u32>,
}

impl Notes {
    /// Its functions in the order of their first calls, by their numbers among all.
    pub fn called(&self) -> Vec<usize> {
        let numbers = self.calls.iter().zip(self.first..);
        let mut called: Vec<_> = numbers.filter(|(call, _)| **call > 0).collect();
        called.sort_unstable();
        called.into_iter().map(|(_, function)| function).collect()
    }
}

/// What is noted in this process: of the copies of a module, one for each instance, the one that has noted most.
pub fn read(process: u32) -> Result<Vec<Notes>> {
    let mut memory = open(process)?;
    let mut fullest = BTreeMap::<usize, Notes>::new();
    for start in starts(process)? {
        let Some(notes) = notes(&mut memory, start) else { continue };
        let known = fullest.get(&notes.first);
        if known.is_none_or(|known| known.called().len() < notes.called().len()) {
            fullest.insert(notes.first, notes);
        }
    }
    Ok(fullest.into_values().collect())
}

/// Takes back all that is noted in this process, in which nothing of it may be at work.
pub fn forget(process: u32) -> Result<()> {
    let mut memory = open(process)?;
    for start in starts(process)? {
        let Some(notes) = notes(&mut memory, start) else { continue };
        memory.seek(SeekFrom::Start(start + COUNT))?;
        memory.write_all(&vec![0; WORD * (1 + notes.calls.len())])?;
    }
    Ok(())
}

fn open(process: u32) -> Result<File> {
    let file = File::options().read(true).write(true).open(format!("/proc/{process}/mem"));
    file.context("the host's memory cannot be read; only Linux shows it")
}

/// Where the process has memories that begin with data.
fn starts(process: u32) -> Result<Vec<u64>> {
    let maps = fs::read_to_string(format!("/proc/{process}/maps"));
    Ok(maps.context("the host tells no memory")?.lines().filter_map(start).collect())
}

/// Of a line as the system writes it: from, to, rights, place in a file, device, inode, name.
fn start(line: &str) -> Option<u64> {
    let (range, rest) = line.split_once(' ')?;
    let is_memory = rest.starts_with("rw") && rest.contains(NAMED);
    u64::from_str_radix(range.split_once('-')?.0, 16).ok().filter(|_| is_memory)
}

/// None where the memory does not begin as notes do, or is gone.
fn notes(memory: &mut (impl Read + Seek), start: u64) -> Option<Notes> {
    memory.seek(SeekFrom::Start(start)).ok()?;
    let mut head = [[0; WORD]; 4];
    memory.read_exact(head.as_flattened_mut()).ok()?;
    let [magic, first, count, _] = head;
    let count = usize::try_from(u32::from_le_bytes(count)).ok()?;
    if magic != MAGIC || count > MOST {
        return None;
    }
    let mut calls = vec![[0; WORD]; count];
    memory.read_exact(calls.as_flattened_mut()).ok()?;
    let first = usize::try_from(u32::from_le_bytes(first)).ok()?;
    Some(Notes { first, calls: calls.into_iter().map(u32::from_le_bytes).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn memories_that_begin_with_data_are_found_among_all_others() {
        let line = |rights: &str, name: &str| {
            format!("7f00a0000000-7f00a0001000 {rights} 00000000 00:01 7 {name}")
        };
        let notes = "/memfd:wasm-memory-image (deleted)";
        assert_eq!(start(&line("rw-p", notes)), Some(0x7f00_a000_0000));
        assert_eq!(start(&line("r--p", notes)), None);
        assert_eq!(start(&line("rw-p", "[heap]")), None);
    }

    #[test]
    fn notes_are_read_in_the_order_of_calls() {
        let words = |words: &[u32]| -> Vec<u8> {
            words.iter().flat_map(|word| word.to_le_bytes()).collect()
        };
        let memory = [b"else".as_slice(), &MAGIC, &words(&[7, 4, 3, 2, 0, 3, 1]), b"more"].concat();
        let read = |at, end| notes(&mut Cursor::new(&memory[..end]), at);
        let noted = read(4, memory.len()).unwrap();
        assert_eq!(noted, Notes { first: 7, calls: vec![2, 0, 3, 1] });
        assert_eq!(noted.called(), [10, 7, 9]);
        assert_eq!(read(0, memory.len()), None);
        assert_eq!(read(4, memory.len() - 5), None);
    }
}
