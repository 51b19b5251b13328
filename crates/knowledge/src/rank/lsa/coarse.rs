//! Directions of many numbers in few bits each.
//!
//! Border: numbers in, bytes out, and products of those with a question's. A direction is turned before it is cut to few
//! bits, so that no number of it says much more than another, and a product is divided by what the bits keep of the
//! direction itself: on the mean it is the true one. Sources: Gao and Long, "RaBitQ", SIGMOD 2024, for both; Max,
//! "Quantizing for minimum distortion", 1960, for the steps.

/// How a direction is kept of which each number takes less than a byte. The more numbers there are, the less each of
/// them counts, and the coarser it may be: an error is spread over all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coarse {
    /// 16 steps.
    Nibble,
    /// 4 steps.
    Pair,
    /// Its sign.
    Bit,
}

/// How often a direction is turned.
const ROUNDS: u64 = 2;

impl Coarse {
    /// How a direction of so many numbers is kept, so that it takes 512 bytes at most, up to 4,096 numbers; none: with
    /// a byte for each.
    pub const fn of(width: usize) -> Option<Coarse> {
        match width {
            0..=512 => None,
            513..=1_024 => Some(Coarse::Nibble),
            1_025..=2_048 => Some(Coarse::Pair),
            _ => Some(Coarse::Bit),
        }
    }

    /// Bits a number.
    const fn bits(self) -> usize {
        match self {
            Coarse::Nibble => 4,
            Coarse::Pair => 2,
            Coarse::Bit => 1,
        }
    }

    /// Bytes that so many numbers take.
    pub const fn bytes(self, width: usize) -> usize {
        width.div_ceil(8 / self.bits())
    }

    /// From one step to the next, in standard deviations of a number: what loses least of a normal distribution, which
    /// the numbers of a turned direction have.
    const fn step(self) -> f32 {
        match self {
            Coarse::Nibble => 0.3352,
            Coarse::Pair => 0.9957,
            Coarse::Bit => 1.0,
        }
    }

    /// Adds a turned direction's bytes. What a product with them has to be multiplied by to be the one with the
    /// direction, of length 1; 0 where it points nowhere.
    pub fn cut(self, turned: &[f32], out: &mut Vec<u8>) -> f32 {
        let from = out.len();
        let stride = self.bytes(turned.len());
        out.resize(from + stride, 0);
        let row = out.get_mut(from..).unwrap_or_default();
        let length = turned.iter().map(|number| number * number).sum::<f32>().sqrt();
        #[allow(clippy::cast_precision_loss, reason = "a width is a small number")]
        let step = self.step() * length / (turned.len() as f32).sqrt();
        if step <= 0.0 || !step.is_finite() {
            return 0.0;
        }
        let half = f32::from(1_u8 << (self.bits() - 1));
        let mut kept = 0.0;
        for (plane, numbers) in turned.chunks(stride).enumerate() {
            for (byte, number) in row.iter_mut().zip(numbers) {
                let at = (number / step).floor().clamp(-half, half - 1.0);
                // To multiply and add at once is a call in WebAssembly, and of whole numbers the same.
                kept += (at + at + 1.0) * number;
                #[allow(clippy::cast_possible_truncation, reason = "clamped to the bits there are")]
                let at = (at as i8).cast_unsigned() & self.mask();
                *byte |= at << (self.bits() * plane);
            }
        }
        if kept > 0.0 { length / kept } else { 0.0 }
    }

    const fn mask(self) -> u8 {
        u8::MAX >> (8 - self.bits())
    }

    /// The odd number that stands for a step: twice the middle between it and the next.
    fn value(self, byte: u8, plane: usize) -> i16 {
        let above = 8 - self.bits() * (plane + 1);
        2 * i16::from((byte << above).cast_signed() >> (8 - self.bits())) + 1
    }
}

/// What each byte of a direction adds to its product with a question: a look each, instead of as many products as it has
/// numbers.
#[derive(Debug)]
pub(super) struct Table(Vec<[i16; 256]>);

/// Bytes of a direction whose part of the table stays close to the processor while many directions are gone through, and
/// directions that do.
const BYTES: usize = 32;
const ROWS: usize = 128;
/// Bytes that are looked up at once.
const BLOCK: usize = 16;

impl Table {
    /// For a turned question.
    pub fn new(coarse: Coarse, question: &[i8]) -> Table {
        let stride = coarse.bytes(question.len());
        let part = |at: usize| {
            let numbers = question.iter().skip(at).step_by(stride);
            sums(coarse, numbers.map(|number| i16::from(*number)))
        };
        Table((0..stride).map(part).collect())
    }

    /// The products of directions with the question, in their order.
    pub fn products(&self, rows: &[u8]) -> Vec<i32> {
        let stride = self.0.len().max(1);
        let mut all = Vec::with_capacity(rows.len() / stride);
        for rows in rows.chunks(stride * ROWS) {
            let from = all.len();
            all.resize(from + rows.len() / stride, 0);
            for (part, at) in self.0.chunks(BYTES).zip((0..).step_by(BYTES)) {
                let sums = all.iter_mut().skip(from);
                for (sum, row) in sums.zip(rows.chunks_exact(stride)) {
                    *sum += looked_up(row.get(at..at + part.len()).unwrap_or_default(), part);
                }
            }
        }
        all
    }
}

/// What each byte adds to a product, whose planes meet these numbers of the question: with each plane there are as many
/// times more as it has steps.
fn sums(coarse: Coarse, numbers: impl Iterator<Item = i16>) -> [i16; 256] {
    let mut sums = [0_i16; 256];
    for (plane, number) in numbers.chain(std::iter::repeat(0)).take(8 / coarse.bits()).enumerate() {
        let shift = coarse.bits() * plane;
        let (known, above) = sums.split_at_mut(1 << shift);
        let steps = above.chunks_exact_mut(known.len()).zip(1..=coarse.mask());
        for (more, step) in steps {
            let adds = coarse.value(step << shift, plane) * number;
            more.iter_mut().zip(&*known).for_each(|(more, known)| *more = *known + adds);
        }
        let adds = coarse.value(0, plane) * number;
        known.iter_mut().for_each(|sum| *sum += adds);
    }
    sums
}

/// The sum of what bytes add. A block of them is a turn of the loop: a host that may interrupt a component asks at each
/// turn whether to.
fn looked_up(bytes: &[u8], part: &[[i16; 256]]) -> i32 {
    // There is one for each byte: nothing is looked at twice for that.
    let look =
        |(byte, sums): (&u8, &[i16; 256])| sums.get(usize::from(*byte)).map(|sum| i32::from(*sum));
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    let (by_blocks, by_rest) = part.as_chunks::<BLOCK>();
    let blocks = blocks.iter().zip(by_blocks);
    let of_blocks: i32 =
        blocks.map(|(bytes, sums)| bytes.iter().zip(sums).filter_map(look).sum::<i32>()).sum();
    of_blocks + rest.iter().zip(by_rest).filter_map(look).sum::<i32>()
}

/// Turns a direction, each by the same: its length and the angles between directions stay.
pub(super) fn turn(numbers: &mut [f32]) {
    let width = numbers.len();
    let Some(size) = width.checked_ilog2().map(|power| 1_usize << power) else { return };
    for round in 0..ROUNDS {
        for from in if size == width { vec![0] } else { vec![0, width - size] } {
            let some = numbers.get_mut(from..from + size).unwrap_or_default();
            signs(some, round);
            mix(some);
        }
    }
}

/// Turns every other number around, by chance but always by the same.
fn signs(numbers: &mut [f32], round: u64) {
    for (number, at) in numbers.iter_mut().zip(0_u64..) {
        // splitmix64
        let mut bits = (at + (round << 32) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        if (bits ^ (bits >> 31)) & 1 == 1 {
            *number = -*number;
        }
    }
}

/// The Walsh–Hadamard transform of so many numbers as are a power of two.
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
fn mix(numbers: &mut [f32]) {
    let mut half = 1;
    while half < numbers.len() {
        for block in numbers.chunks_exact_mut(2 * half) {
            let (one, other) = block.split_at_mut(half);
            for (one, other) in one.iter_mut().zip(other) {
                (*one, *other) = (*one + *other, *one - *other);
            }
        }
        half *= 2;
    }
    #[allow(clippy::cast_precision_loss, reason = "a width is a small number")]
    let scale = 1.0 / (numbers.len() as f32).sqrt();
    numbers.iter_mut().for_each(|number| *number *= scale);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_turned_keeps_its_length_and_its_angles(
            pairs in prop::collection::vec((-1.0_f32..1.0, -1.0_f32..1.0), 1..300),
        ) {
            let (mut one, mut other): (Vec<f32>, Vec<f32>) = pairs.into_iter().unzip();
            let product = |one: &[f32], other: &[f32]| -> f32 {
                one.iter().zip(other).map(|(one, other)| one * other).sum()
            };
            let before = (product(&one, &one), product(&one, &other));
            turn(&mut one);
            turn(&mut other);
            let after = (product(&one, &one), product(&one, &other));
            prop_assert!((before.0 - after.0).abs() < 1e-3 * before.0.max(1.0));
            prop_assert!((before.1 - after.1).abs() < 1e-3 * before.0.max(1.0));
        }

        #[test]
        fn a_product_with_the_bits_is_the_sum_of_what_they_stand_for(
            numbers in prop::collection::vec((-1.0_f32..1.0, any::<i8>()), 1..40),
            coarse in prop::sample::select(vec![Coarse::Nibble, Coarse::Pair, Coarse::Bit]),
        ) {
            let (numbers, question): (Vec<f32>, Vec<i8>) = numbers.into_iter().unzip();
            let mut row = Vec::new();
            prop_assume!(coarse.cut(&numbers, &mut row) > 0.0);
            prop_assert_eq!(row.len(), coarse.bytes(numbers.len()));
            let product = |question: &[i8]| Table::new(coarse, question).products(&row)[0];
            // With one question a number, each number is read by itself.
            let value = |at: usize| {
                let mut one = vec![0_i8; numbers.len()];
                one[at] = 1;
                product(&one)
            };
            let most = 2 << (coarse.bits() - 1);
            let sum: i32 = (0..numbers.len())
                .map(|at| {
                    assert!(value(at).abs() < most && value(at) % 2 != 0);
                    value(at) * i32::from(question[at])
                })
                .sum();
            prop_assert_eq!(product(&question), sum);
            for (at, number) in numbers.iter().enumerate() {
                prop_assert!(*number == 0.0 || (value(at) > 0) == (*number > 0.0));
            }
        }
    }

    #[test]
    fn each_of_many_directions_has_its_own_product() {
        let question: Vec<i8> = (0..200).map(|at| (at * 37 % 255 - 127) as i8).collect();
        let table = Table::new(Coarse::Nibble, &question);
        let rows: Vec<u8> = (0..300 * 100).map(|at| (at * 31 % 251) as u8).collect();
        let alone: Vec<i32> = rows.chunks(100).flat_map(|row| table.products(row)).collect();
        assert_eq!(table.products(&rows), alone);
        assert_eq!(alone.len(), 300);
    }
}
