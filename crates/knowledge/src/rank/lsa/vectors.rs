//! Directions of chunks and questions: a question's a byte a number, those of chunks as finely as there is room for.

use super::coarse::{Coarse, Table, turn};
use crate::rank::packed;
use crate::rank::segment::{ChunkKey, Damaged, Segment};
use std::cell::OnceCell;

/// The first bytes of a blob of a byte a number, with the version of its form.
const MARK: &[u8] = b"QKV1";
/// Those of one of a few bits a number, which its width tells.
const COARSE: &[u8] = b"QKV2";

/// A direction with one byte for each of its dimensions.
#[derive(Debug, Clone, PartialEq)]
pub struct Vector {
    parts: Vec<i8>,
    /// One divided by its length in these bytes; 0 where it points nowhere.
    inverse: f32,
}

impl Vector {
    /// The direction of numbers.
    #[must_use]
    pub fn of(numbers: &[f32]) -> Vector {
        let largest = largest(numbers);
        let scale = if largest > 0.0 && largest.is_finite() { 127.0 / largest } else { 0.0 };
        Vector::packed(numbers.iter().map(|number| nearest(number * scale)).collect())
    }

    /// The direction whose bytes these are.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Vector {
        Vector::packed(bytes.iter().map(|byte| byte.cast_signed()).collect())
    }

    /// A byte for each of its dimensions.
    pub fn bytes(&self) -> impl Iterator<Item = u8> + '_ {
        self.parts.iter().map(|part| part.cast_unsigned())
    }

    /// How many dimensions it has.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.parts.len()
    }

    fn packed(parts: Vec<i8>) -> Vector {
        let square: i32 = parts.iter().map(|part| i32::from(*part) * i32::from(*part)).sum();
        #[allow(clippy::cast_precision_loss, reason = "a length needs no more digits")]
        let inverse = if square > 0 { 1.0 / (square as f32).sqrt() } else { 0.0 };
        Vector { parts, inverse }
    }

    /// Its numbers, as many as are wanted, turned.
    fn turned(&self, width: usize) -> Vec<f32> {
        let mut numbers: Vec<f32> = self.numbers().collect();
        numbers.resize(width, 0.0);
        turn(&mut numbers);
        numbers
    }

    /// The numbers again, of length 1.
    pub fn numbers(&self) -> impl Iterator<Item = f32> + '_ {
        self.parts.iter().map(|part| f32::from(*part) * self.inverse)
    }
}

/// The largest size of a number, or 0. WebAssembly has no instruction for `f32::max`, which is a call there.
pub(super) fn largest(numbers: &[f32]) -> f32 {
    let sizes = numbers.iter().map(|number| number.abs());
    sizes.fold(0.0, |largest, size| if size > largest { size } else { largest })
}

/// The whole number next to one of a byte's range, of two the one further from 0: what `f32::round` gives, which is a call
/// in WebAssembly.
pub(super) fn nearest(number: f32) -> i8 {
    let whole = number.trunc();
    let is_far = (number - whole).abs() >= 0.5;
    let nearest = if is_far { whole + 1.0_f32.copysign(number) } else { whole };
    #[allow(clippy::cast_possible_truncation, reason = "of a byte's range")]
    let nearest = nearest as i8;
    nearest
}

/// Whole numbers: their order is nothing to the sum.
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
fn dot(row: &[u8], other: &[i8]) -> i32 {
    let pairs = row.iter().zip(other);
    pairs.map(|(one, other)| i32::from(i16::from(one.cast_signed()) * i16::from(*other))).sum()
}

/// The direction of a question, and what directions of a few bits a number are looked up in.
#[derive(Debug)]
pub struct Asked<'v> {
    to: &'v Vector,
    turned: OnceCell<(f32, Table)>,
}

impl<'v> Asked<'v> {
    /// The question that points there.
    #[must_use]
    pub const fn new(to: &'v Vector) -> Asked<'v> {
        Asked { to, turned: OnceCell::new() }
    }

    /// What a product is multiplied by, beside what the other direction's is, and where products come from.
    fn turned(&self, coarse: Coarse) -> &(f32, Table) {
        self.turned.get_or_init(|| {
            let turned = Vector::of(&self.to.turned(self.to.width()));
            (turned.inverse, Table::new(coarse, &turned.parts))
        })
    }
}

/// Bytes that a direction of so many dimensions takes.
fn bytes_of(coarse: Option<Coarse>, width: usize) -> usize {
    coarse.map_or(width, |coarse| coarse.bytes(width))
}

/// The directions of a segment's chunks, in their order, packed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Vectors {
    model: u32,
    width: usize,
    /// None: a byte a number.
    coarse: Option<Coarse>,
    inverses: Vec<f32>,
    parts: Vec<u8>,
}

impl Vectors {
    /// None yet, for directions of so many dimensions by this model.
    #[must_use]
    pub fn new(model: u32, width: usize) -> Vectors {
        Vectors { model, width, coarse: Coarse::of(width), ..Vectors::default() }
    }

    /// Adds a chunk.
    pub fn push(&mut self, vector: &Vector) {
        let inverse = match self.coarse {
            None => {
                let parts = vector.bytes().chain(std::iter::repeat(0));
                self.parts.extend(parts.take(self.width));
                vector.inverse
            }
            Some(coarse) => coarse.cut(&vector.turned(self.width), &mut self.parts),
        };
        self.inverses.push(inverse);
    }

    /// Adds those of the chunks of a segment that are to stay; a chunk of which `others` know nothing has none.
    pub fn push_those(&mut self, others: &Vectors, of: &Segment, stays: impl Fn(ChunkKey) -> bool) {
        for (at, _) in of.entries().iter().enumerate().filter(|(_, entry)| stays(entry.key)) {
            let known = others.row(at).filter(|_| others.width == self.width);
            match known {
                Some((row, inverse)) if others.coarse == self.coarse => {
                    self.inverses.push(inverse);
                    self.parts.extend_from_slice(row);
                }
                Some((row, _)) if others.coarse.is_none() => self.push(&Vector::of_bytes(row)),
                _ => self.push(&Vector::of(&[])),
            }
        }
    }

    /// They are kept: what they were given to grow is given back.
    pub fn trim(&mut self) {
        self.inverses.shrink_to_fit();
        self.parts.shrink_to_fit();
    }

    fn row(&self, at: usize) -> Option<(&[u8], f32)> {
        let row = self.parts.chunks_exact(self.stride()).nth(at)?;
        Some((row, *self.inverses.get(at)?))
    }

    /// Bytes of each, or 1.
    fn stride(&self) -> usize {
        bytes_of(self.coarse, self.width).max(1)
    }

    /// The model that made them.
    #[must_use]
    pub const fn model(&self) -> u32 {
        self.model
    }

    /// Dimensions of each.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Chunks.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.inverses.len()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.inverses.is_empty()
    }

    /// Bytes of memory that they take.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        self.parts.len() + self.inverses.len() * size_of::<f32>()
    }

    /// The cosine of the angle between each chunk and a direction of as many dimensions, in their order.
    #[must_use]
    pub fn cosines(&self, to: &Asked<'_>) -> Vec<f32> {
        let rows = self.parts.chunks_exact(self.stride());
        let (products, inverse) = match self.coarse {
            None => (rows.map(|row| dot(row, &to.to.parts)).collect(), to.to.inverse),
            Some(coarse) => {
                let (inverse, table) = to.turned(coarse);
                (table.products(&self.parts), *inverse)
            }
        };
        let products = products.into_iter().zip(&self.inverses);
        #[allow(clippy::cast_precision_loss, reason = "at most 127² a dimension")]
        products.map(|(product, own): (i32, &f32)| product as f32 * own * inverse).collect()
    }

    /// The numbers of a chunk, of length 1; none of those that are kept in less than a byte a number.
    #[must_use]
    pub fn get(&self, at: usize) -> Option<Vector> {
        let (row, inverse) = self.row(at).filter(|_| self.coarse.is_none())?;
        let parts = row.iter().map(|byte| byte.cast_signed()).collect();
        Some(Vector { parts, inverse })
    }

    /// The blob that a store keeps beside the segment's.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = if self.coarse.is_none() { MARK } else { COARSE }.to_vec();
        out.extend_from_slice(&self.model.to_le_bytes());
        out.extend_from_slice(&packed::length(self.width));
        out.extend_from_slice(&packed::length(self.len()));
        self.inverses.iter().for_each(|inverse| out.extend_from_slice(&inverse.to_le_bytes()));
        out.extend_from_slice(&self.parts);
        out
    }

    /// Reads a blob.
    ///
    /// # Errors
    /// Where it is none of these.
    pub fn from_bytes(bytes: &[u8]) -> Result<Vectors, Damaged> {
        Self::parse(bytes).ok_or(Damaged("vectors"))
    }

    fn parse(mut bytes: &[u8]) -> Option<Vectors> {
        let bytes = &mut bytes;
        let is_coarse = match packed::split(bytes, MARK.len())? {
            MARK => false,
            COARSE => true,
            _ => return None,
        };
        let model = packed::fixed(bytes)?;
        let width = usize::try_from(packed::fixed(bytes)?).ok()?;
        let coarse = if is_coarse { Some(Coarse::of(width)?) } else { None };
        let count = usize::try_from(packed::fixed(bytes)?).ok()?;
        let mut inverses = packed::split(bytes, count.checked_mul(4)?)?;
        let inverses =
            std::iter::from_fn(|| packed::fixed(&mut inverses).map(f32::from_bits)).collect();
        let parts = packed::split(bytes, count.checked_mul(bytes_of(coarse, width))?)?.to_vec();
        bytes.is_empty().then_some(Vectors { model, width, coarse, inverses, parts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers as chance gives them, many small and a few large.
    fn numbers(seed: u64, width: usize) -> Vec<f32> {
        let mut state = seed;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            #[allow(clippy::cast_precision_loss, reason = "a test's chance")]
            let number = (state >> 40) as f32 / 8_388_608.0 - 1.0;
            number
        };
        (0..width).map(|at| next() * if at % 97 == 0 { 12.0 } else { 1.0 }).collect()
    }

    #[test]
    fn the_nearest_whole_number_is_what_rounding_gives() {
        let below_half = f32::from_bits(0.5_f32.to_bits() - 1);
        for number in numbers(3, 4_000).into_iter().map(|number| number * 10.0).chain([
            0.0,
            0.5,
            -0.5,
            1.5,
            2.5,
            -2.5,
            below_half,
            -below_half,
            126.5,
            127.0,
            -127.0,
            f32::NAN,
        ]) {
            #[allow(clippy::cast_possible_truncation, reason = "of a byte's range")]
            let rounded = number.round() as i8;
            assert_eq!(nearest(number), rounded, "{number}");
        }
        for numbers in [&[0.5, -3.0, 2.0][..], &[f32::NAN, 1.0], &[]] {
            let sizes = numbers.iter().map(|number: &f32| number.abs());
            assert_eq!(largest(numbers).to_bits(), sizes.fold(0.0, f32::max).to_bits());
        }
    }

    #[test]
    fn the_angle_survives_a_byte_a_dimension() {
        let mut vectors = Vectors::new(9, 3);
        for numbers in [[1.0, 0.0, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 0.0], [-2.0, 0.0, 0.0]] {
            vectors.push(&Vector::of(&numbers));
        }
        let to = Vector::of(&[5.0, 0.0, 0.0]);
        let cosines: Vec<f32> = vectors.cosines(&Asked::new(&to));
        for (cosine, expected) in cosines.iter().zip([1.0, 0.6, 0.0, -1.0]) {
            assert!((cosine - expected).abs() < 0.01, "{cosines:?}");
        }
        let read = Vectors::from_bytes(&vectors.to_bytes()).unwrap();
        assert_eq!((read.len(), read.model(), &read), (4, 9, &vectors));
        let bytes = vectors.to_bytes();
        assert!((0..bytes.len()).all(|end| Vectors::from_bytes(&bytes[..end]).is_err()));
    }

    #[test]
    fn the_angle_survives_a_few_bits_a_number_where_there_are_many_numbers() {
        for (width, bytes, near) in
            [(768, 384, 0.02), (1_536, 384, 0.04), (3_072, 384, 0.05), (1_000, 500, 0.02)]
        {
            let asked = numbers(1, width);
            let to = Vector::of(&asked);
            // As near to the question as the share says.
            let shares = [1.0, 0.9, 0.6, 0.3, 0.0, -0.6];
            let mut vectors = Vectors::new(7, width);
            let mut expected = Vec::new();
            for (share, seed) in shares.iter().zip(2..) {
                let mixed: Vec<f32> = asked
                    .iter()
                    .zip(numbers(seed, width))
                    .map(|(one, other)| share * one + (1.0 - share.abs()) * other)
                    .collect();
                let product: f32 = asked.iter().zip(&mixed).map(|(one, other)| one * other).sum();
                let length = |of: &[f32]| of.iter().map(|one| one * one).sum::<f32>().sqrt();
                expected.push(product / length(&asked) / length(&mixed));
                vectors.push(&Vector::of(&mixed));
            }
            vectors.push(&Vector::of(&[]));
            expected.push(0.0);
            let read = Vectors::from_bytes(&vectors.to_bytes()).unwrap();
            assert_eq!((&read, read.get(0)), (&vectors, None));
            assert_eq!((vectors.bytes(), vectors.stride()), (7 * (bytes + 4), bytes));
            let cosines: Vec<f32> = read.cosines(&Asked::new(&to));
            for (cosine, expected) in cosines.iter().zip(&expected) {
                assert!((cosine - expected).abs() < near, "{width}: {cosines:?} {expected:?}");
            }
            let bytes = vectors.to_bytes();
            assert!((0..bytes.len()).all(|end| Vectors::from_bytes(&bytes[..end]).is_err()));
        }
    }
}
