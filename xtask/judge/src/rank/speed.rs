//! How long it takes, and what it takes of memory, beside a floor: what the same bytes cost at the least.

use super::load::Loaded;
use anyhow::{Result, ensure};
use quarry_knowledge::chunk::of_text;
use quarry_knowledge::rank::lsa::Model;
use quarry_knowledge::rank::search::{Collection, Options};
use quarry_knowledge::rank::segment::{ChunkKey, Indexed};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Questions that are timed.
const QUESTIONS: usize = 50;
/// Words of a synthetic language, its subjects, and the words of a chunk.
const WORDS: u64 = 50_000;
const SUBJECTS: u64 = 200;
const CHUNK_WORDS: usize = 95;

/// Tells the times of a collection that was loaded.
pub fn tell(loaded: &Loaded, collection: &Collection, read: Duration, indexed: Duration) {
    println!("\nreading and cutting  {}", speed(loaded.bytes, read));
    println!("indexing             {} (LSA included)", speed(loaded.bytes, indexed));
    let questions: Vec<&str> =
        loaded.questions.iter().map(|question| question.text.as_str()).collect();
    searches(collection, &questions);
    println!("memory of the index  {}", mebibytes(collection.bytes()));
}

/// Times an index over made-up chunks.
pub fn synthetic(chunks: usize) -> Result<()> {
    ensure!(chunks > 0, "`--synthetic` wants a number of chunks above 0");
    let mut random = Random(7);
    let text = markdown(&mut random, chunks);
    let floor = {
        let began = Instant::now();
        black_box(text.split_whitespace().map(str::len).sum::<usize>());
        began.elapsed()
    };
    let began = Instant::now();
    let cut = of_text(&text, true, &[]);
    let took = began.elapsed();
    println!("{} chunks of {:.1} MB of Markdown", cut.len(), megabytes(text.len()));
    println!("floor: words counted {}", speed(text.len(), floor));
    println!(
        "cutting              {}, {:.1} of the floor",
        speed(text.len(), took),
        ratio(took, floor)
    );
    let indexed = cut.iter().map(|chunk| Indexed {
        key: ChunkKey { document: u64::from(chunk.number / 20), number: chunk.number % 20 },
        title: "",
        headings: &chunk.headings,
        body: chunk.text(&text),
    });
    let began = Instant::now();
    let collection = Collection::build(indexed);
    let took = began.elapsed();
    println!(
        "indexing             {}, {:.1} of the floor (LSA included)",
        speed(text.len(), took),
        ratio(took, floor)
    );
    let began = Instant::now();
    let model = Model::train(&collection.segments, None);
    println!("  training LSA       {:>9.1} ms", milliseconds(began.elapsed()));
    let began = Instant::now();
    for segment in &collection.segments {
        black_box(model.as_ref().map(|model| model.vectors(segment)));
    }
    println!("  folding in         {:>9.1} ms", milliseconds(began.elapsed()));
    let questions: Vec<String> = (0..QUESTIONS).map(|_| question(&mut random)).collect();
    let questions: Vec<&str> = questions.iter().map(String::as_str).collect();
    searches(&collection, &questions);
    let memory = collection.bytes();
    println!(
        "memory of the index  {}, {:.2} of the text",
        mebibytes(memory),
        share(memory, text.len())
    );
    Ok(())
}

/// Times searches beside the floor: every byte of the chunks' directions looked at twice.
fn searches(collection: &Collection, questions: &[&str]) {
    let blobs: Vec<Vec<u8>> = collection.vectors.iter().map(|vectors| vectors.to_bytes()).collect();
    let mut floors = Vec::new();
    let mut times = Vec::new();
    for question in questions.iter().cycle().take(questions.len().max(QUESTIONS)) {
        let began = Instant::now();
        for _ in 0..2 {
            let sum = |blob: &Vec<u8>| blob.iter().map(|byte| u64::from(*byte)).sum::<u64>();
            black_box(blobs.iter().map(sum).sum::<u64>());
        }
        floors.push(began.elapsed());
        let began = Instant::now();
        black_box(collection.search(question, Options::default(), |_| true));
        times.push(began.elapsed());
    }
    let (floor, time) = (at(&mut floors, 50), at(&mut times, 50));
    println!("floor: bytes summed  {:>9.2} ms", milliseconds(floor));
    println!(
        "a search             {:>9.2} ms at the median, {:.2} ms at 95 of 100, {:.1} of the floor",
        milliseconds(time),
        milliseconds(at(&mut times, 95)),
        ratio(time, floor)
    );
}

/// The time that so many of a hundred do not exceed.
fn at(times: &mut [Duration], of_hundred: usize) -> Duration {
    times.sort();
    times.get(times.len() * of_hundred / 100).copied().unwrap_or_default()
}

/// Documents of about twenty chunks each under headings, in words that a subject has more often than others.
fn markdown(random: &mut Random, chunks: usize) -> String {
    let mut text = String::new();
    for at in 0..chunks {
        let subject = random.next() % SUBJECTS;
        text.push_str(if at % 20 == 0 { "# " } else { "## " });
        text.push_str(&word(random.common()));
        text.push_str(&format!(" {at}\n\n"));
        for place in 1..=CHUNK_WORDS {
            text.push_str(&word(random.about(subject)));
            text.push_str(if place % 12 == 0 { ". " } else { " " });
        }
        text.push_str("\n\n");
    }
    text
}

fn question(random: &mut Random) -> String {
    let subject = random.next() % SUBJECTS;
    (0..8).map(|_| word(random.about(subject)) + " ").collect()
}

/// A word by its number: pronounceable, and as long as words are.
fn word(mut number: u64) -> String {
    const SYLLABLES: [&str; 16] = [
        "ba", "de", "ki", "lo", "mu", "na", "pe", "ri", "so", "tu", "va", "we", "zi", "fo", "gu",
        "ha",
    ];
    let mut word = String::new();
    for _ in 0..4 {
        let at = usize::try_from(number % 16).unwrap_or_default();
        word.push_str(SYLLABLES.get(at).copied().unwrap_or_default());
        number /= 16;
    }
    word
}

/// SplitMix64: the same numbers in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A word as often as its rank says: the tenth is met a tenth as often as the first (Zipf).
    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "words are few"
    )]
    fn common(&mut self) -> u64 {
        let part = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        (WORDS as f64).powf(part) as u64
    }

    /// One word of three is the subject's own.
    fn about(&mut self, subject: u64) -> u64 {
        let common = self.common();
        if self.next().is_multiple_of(3) { 1_000 + subject * 200 + common % 200 } else { common }
    }
}

#[allow(clippy::cast_precision_loss, reason = "for people")]
fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}

#[allow(clippy::cast_precision_loss, reason = "for people")]
fn mebibytes(bytes: usize) -> String {
    format!("{:>9.1} MiB", bytes as f64 / f64::from(1 << 20))
}

#[allow(clippy::cast_precision_loss, reason = "for people")]
fn share(part: usize, of: usize) -> f64 {
    part as f64 / of.max(1) as f64
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn speed(bytes: usize, time: Duration) -> String {
    let seconds = time.as_secs_f64().max(1e-9);
    format!("{:>9.1} ms, {:.1} MB/s", milliseconds(time), megabytes(bytes) / seconds)
}

fn ratio(time: Duration, floor: Duration) -> f64 {
    time.as_secs_f64() / floor.as_secs_f64().max(1e-9)
}
