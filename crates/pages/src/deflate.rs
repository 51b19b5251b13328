//! How much DEFLATE (RFC 1951) unpacks to, and what it takes to unpack it: a block may give nothing, and each is told
//! with tables of its own.

/// What was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// Bytes that are given.
    pub given: usize,
    /// Bytes for which they are.
    pub taken: usize,
    /// Entries of tables that had to be written for that.
    pub tables: usize,
    /// Blocks that were begun.
    pub blocks: usize,
    /// Whether the last block ended as it should.
    pub is_whole: bool,
}

/// Entries of tables that one stream may have written: twice those of 32 MiB of which each letter is told with the longest
/// codes, in blocks of 16,384 letters, as packers write them. Codes that are too many for their lengths write the same
/// entries again and again, and a block of a hundred bytes may want millions.
const MAX_TABLES: usize = 1 << 28;

/// Counts what hayro's decoder gives, no further than beyond `most` bytes, and beyond [`MAX_TABLES`].
pub fn count(packed: &[u8], most: usize) -> Counted {
    let head = match packed {
        [head, check, ..]
            if head & 0x0F == 8
                && (u16::from(*head) << 8 | u16::from(*check)).is_multiple_of(31)
                && check & 0x20 == 0 =>
        {
            2
        }
        _ => 0,
    };
    Inflate::new(packed, head, most, true).count()
}

/// Counts what any other decoder gives.
pub fn count_by_rule(packed: &[u8], most: usize) -> Counted {
    Inflate::new(packed, 0, most, false).count()
}

/// Whether a stream of which this was counted wants more tables than any that was packed to be short.
pub const fn has_too_many_tables(counted: &Counted) -> bool {
    counted.tables > MAX_TABLES
}

struct Inflate<'d> {
    data: &'d [u8],
    at: usize,
    bits: u32,
    held: u8,
    given: usize,
    most: usize,
    tables: usize,
    blocks: usize,
    is_over: bool,
    /// Whether bytes are lost that were looked at before a block that is stored: hayro loses them.
    loses: bool,
    /// The tables that need not be told.
    fixed: Option<(Table, Table)>,
}

impl<'d> Inflate<'d> {
    const fn new(data: &'d [u8], at: usize, most: usize, loses: bool) -> Self {
        Inflate {
            data,
            at,
            bits: 0,
            held: 0,
            given: 0,
            most,
            tables: 0,
            blocks: 0,
            is_over: false,
            loses,
            fixed: None,
        }
    }

    fn count(mut self) -> Counted {
        let mut is_whole = false;
        while !self.is_over
            && self.at < self.data.len()
            && self.given <= self.most
            && self.tables <= MAX_TABLES
        {
            if self.block().is_none() {
                break;
            }
            is_whole = self.is_over;
        }
        let Inflate { given, at, tables, blocks, .. } = self;
        Counted { given, taken: at, tables, blocks, is_whole }
    }

    fn byte(&mut self) -> Option<u32> {
        let byte = self.data.get(self.at).copied()?;
        self.at += 1;
        Some(u32::from(byte))
    }

    fn take(&mut self, wide: u8) -> Option<u32> {
        while self.held < wide {
            self.bits |= self.byte()? << self.held;
            self.held += 8;
        }
        let bits = self.bits & ((1 << wide) - 1);
        self.bits >>= wide;
        self.held -= wide;
        Some(bits)
    }

    fn code(&mut self, table: &Table) -> Option<u16> {
        while self.held < table.wide {
            let Some(byte) = self.byte() else { break };
            self.bits |= byte << self.held;
            self.held += 8;
        }
        let at = usize::try_from(self.bits & ((1 << table.wide) - 1)).ok()?;
        let (code, wide) = table.codes.get(at).copied()?;
        if wide == 0 || self.held < wide {
            return None;
        }
        self.bits >>= wide;
        self.held -= wide;
        Some(code)
    }

    /// None where there is nothing behind it.
    fn block(&mut self) -> Option<()> {
        let head = self.take(3)?;
        self.blocks += 1;
        self.is_over = head & 1 == 1;
        match head >> 1 {
            0 => self.stored(),
            1 => {
                // hayro copies its own for each block.
                self.tables += FIXED;
                let fixed = self.fixed.take();
                let (lengths, distances) =
                    fixed.unwrap_or_else(|| (Table::lengths(), Table::distances()));
                let done = self.packed(&lengths, &distances);
                self.fixed = Some((lengths, distances));
                done
            }
            2 => {
                let (lengths, distances) = self.tables()?;
                self.packed(&lengths, &distances)
            }
            _ => None,
        }
    }

    fn stored(&mut self) -> Option<()> {
        if !self.loses {
            self.at -= usize::from(self.held / 8);
        }
        (self.bits, self.held) = (0, 0);
        let length = usize::try_from(self.byte()? | self.byte()? << 8).ok()?;
        // Its complement is not looked at.
        self.byte()?;
        self.byte()?;
        let is_whole = self.data.len() - self.at >= length;
        let length = length.min(self.data.len() - self.at);
        self.at += length;
        self.given += length;
        is_whole.then_some(())
    }

    fn packed(&mut self, lengths: &Table, distances: &Table) -> Option<()> {
        while self.given <= self.most {
            let code = self.code(lengths)?;
            match code {
                0..256 => self.given += 1,
                256 => return Some(()),
                _ => {
                    let (extra, length) =
                        LENGTHS.get(usize::from(code) - 257).copied().unwrap_or_default();
                    let length = usize::from(length) + usize::try_from(self.take(extra)?).ok()?;
                    let (extra, distance) = *DISTANCES.get(usize::from(self.code(distances)?))?;
                    let distance =
                        usize::from(distance) + usize::try_from(self.take(extra)?).ok()?;
                    if distance <= self.given {
                        self.given += length;
                    }
                }
            }
        }
        Some(())
    }

    fn tables(&mut self) -> Option<(Table, Table)> {
        let lengths = usize::try_from(self.take(5)?).ok()? + 257;
        let distances = usize::try_from(self.take(5)?).ok()? + 1;
        let mut own = [0; 19];
        for place in ORDER.into_iter().take(usize::try_from(self.take(4)?).ok()? + 4) {
            if let Some(wide) = own.get_mut(place) {
                *wide = u8::try_from(self.take(3)?).ok()?;
            }
        }
        let own = self.table(&own)?;
        let all = lengths + distances;
        let mut wide = Vec::with_capacity(all);
        while wide.len() < all {
            let (again, times) = match self.code(&own)? {
                code @ 0..16 => (u8::try_from(code).ok()?, 1),
                16 => (wide.last().copied().unwrap_or_default(), self.take(2)? + 3),
                17 => (0, self.take(3)? + 3),
                18 => (0, self.take(7)? + 11),
                _ => return None,
            };
            for _ in 0..times {
                wide.push(again);
            }
        }
        wide.truncate(all);
        let (lengths, distances) = wide.split_at(lengths);
        Some((self.table(lengths)?, self.table(distances)?))
    }

    /// A table that is told; none where all tables so far would be too many.
    fn table(&mut self, lengths: &[u8]) -> Option<Table> {
        self.tables += Table::entries(lengths);
        (self.tables <= MAX_TABLES).then(|| Table::of(lengths))
    }
}

/// Which code the next bits are, and how many of them.
struct Table {
    codes: Vec<(u16, u8)>,
    wide: u8,
}

impl Table {
    fn of(lengths: &[u8]) -> Table {
        let wide = lengths.iter().copied().max().unwrap_or_default();
        if wide == 0 {
            return Table { codes: vec![(0, 0)], wide: 1 };
        }
        let mut codes = vec![(0, 0); 1 << wide];
        let mut next = 0_u32;
        for length in 1..=wide {
            for (code, _) in lengths.iter().enumerate().filter(|(_, own)| **own == length) {
                // Codes come with their first bit last. Where there are too many, the first bits of all are lost.
                let first = next.reverse_bits() >> (32 - u32::from(length));
                let every = 1_usize << length;
                let places = codes.iter_mut().skip(usize::try_from(first).unwrap_or(usize::MAX));
                for place in places.step_by(every) {
                    *place = (u16::try_from(code).unwrap_or_default(), length);
                }
                next += 1;
            }
            next <<= 1;
        }
        Table { codes, wide }
    }

    /// How many entries are written to put it together, and looked at for that.
    fn entries(lengths: &[u8]) -> usize {
        let wide = lengths.iter().copied().max().unwrap_or_default();
        let written = |length: &u8| if *length == 0 { 0 } else { 1_usize << (wide - length) };
        let written: usize = lengths.iter().map(written).sum();
        (1 << wide) + written + lengths.len() * usize::from(wide)
    }

    /// The tables that need not be told (3.2.6).
    fn lengths() -> Table {
        let lengths: Vec<u8> = (0..288_u16)
            .map(|code| match code {
                0..144 => 8,
                144..256 => 9,
                256..280 => 7,
                _ => 8,
            })
            .collect();
        Table::of(&lengths)
    }

    fn distances() -> Table {
        let mut table = Table::of(&[5; 32]);
        // hayro knows no code for the two that mean nothing.
        for place in table.codes.iter_mut().filter(|(code, _)| *code >= 30) {
            *place = (0, 0);
        }
        table
    }
}

/// Entries of both of these.
const FIXED: usize = 512 + 32;

const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// How many bits more there are, and what they are counted from.
const LENGTHS: [(u8, u16); 29] = [
    (0, 3),
    (0, 4),
    (0, 5),
    (0, 6),
    (0, 7),
    (0, 8),
    (0, 9),
    (0, 10),
    (1, 11),
    (1, 13),
    (1, 15),
    (1, 17),
    (2, 19),
    (2, 23),
    (2, 27),
    (2, 31),
    (3, 35),
    (3, 43),
    (3, 51),
    (3, 59),
    (4, 67),
    (4, 83),
    (4, 99),
    (4, 115),
    (5, 131),
    (5, 163),
    (5, 195),
    (5, 227),
    (0, 258),
];

const DISTANCES: [(u8, u16); 30] = [
    (0, 1),
    (0, 2),
    (0, 3),
    (0, 4),
    (1, 5),
    (1, 7),
    (2, 9),
    (2, 13),
    (3, 17),
    (3, 25),
    (4, 33),
    (4, 49),
    (5, 65),
    (5, 97),
    (6, 129),
    (6, 193),
    (7, 257),
    (7, 385),
    (8, 513),
    (8, 769),
    (9, 1_025),
    (9, 1_537),
    (10, 2_049),
    (10, 3_073),
    (11, 4_097),
    (11, 6_145),
    (12, 8_193),
    (12, 12_289),
    (13, 16_385),
    (13, 24_577),
];
