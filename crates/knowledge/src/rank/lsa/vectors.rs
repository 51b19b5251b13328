//! Directions of chunks and questions, a byte a dimension.

use crate::rank::packed;
use crate::rank::segment::{ChunkKey, Damaged, Segment};

/// The first bytes of a blob, with the version of its form.
const MARK: &[u8] = b"QKV1";

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
        let largest = numbers.iter().fold(0.0_f32, |largest, number| largest.max(number.abs()));
        let scale = if largest > 0.0 && largest.is_finite() { 127.0 / largest } else { 0.0 };
        #[allow(clippy::cast_possible_truncation, reason = "at most 127 by the scale")]
        let parts: Vec<i8> = numbers.iter().map(|number| (number * scale).round() as i8).collect();
        Vector::packed(parts)
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
        let square = dot(&parts, &parts);
        #[allow(clippy::cast_precision_loss, reason = "a length needs no more digits")]
        let inverse = if square > 0 { 1.0 / (square as f32).sqrt() } else { 0.0 };
        Vector { parts, inverse }
    }

    /// The numbers again, of length 1.
    pub fn numbers(&self) -> impl Iterator<Item = f32> + '_ {
        self.parts.iter().map(|part| f32::from(*part) * self.inverse)
    }
}

/// Whole numbers: their order is nothing to the sum.
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
fn dot(one: &[i8], other: &[i8]) -> i32 {
    one.iter().zip(other).map(|(one, other)| i32::from(i16::from(*one) * i16::from(*other))).sum()
}

/// The directions of a segment's chunks, in their order, packed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Vectors {
    model: u32,
    width: usize,
    inverses: Vec<f32>,
    parts: Vec<i8>,
}

impl Vectors {
    /// None yet, for directions of so many dimensions by this model.
    #[must_use]
    pub fn new(model: u32, width: usize) -> Vectors {
        Vectors { model, width, ..Vectors::default() }
    }

    /// Adds a chunk.
    pub fn push(&mut self, vector: &Vector) {
        self.inverses.push(vector.inverse);
        self.parts
            .extend(vector.parts.iter().copied().chain(std::iter::repeat(0)).take(self.width));
    }

    /// Adds those of the chunks of a segment that are to stay; a chunk of which `others` know nothing has none.
    pub fn push_those(&mut self, others: &Vectors, of: &Segment, stays: impl Fn(ChunkKey) -> bool) {
        for (at, _) in of.entries().iter().enumerate().filter(|(_, entry)| stays(entry.key)) {
            let row = others.parts.chunks_exact(others.width.max(1)).nth(at);
            let inverse = others.inverses.get(at);
            match (row, inverse) {
                (Some(row), Some(inverse)) if others.width == self.width => {
                    self.inverses.push(*inverse);
                    self.parts.extend_from_slice(row);
                }
                _ => self.push(&Vector::of(&[])),
            }
        }
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

    /// The cosine of the angle between each chunk and a direction, in their order.
    pub fn cosines(&self, to: &Vector) -> impl Iterator<Item = f32> + '_ {
        let parts = to.parts.clone();
        let length = to.inverse;
        let rows = self.parts.chunks_exact(self.width.max(1)).zip(&self.inverses);
        rows.map(move |(row, inverse)| {
            #[allow(clippy::cast_precision_loss, reason = "at most 127² a dimension")]
            let product = dot(row, &parts) as f32;
            product * inverse * length
        })
    }

    /// The numbers of a chunk, of length 1.
    #[must_use]
    pub fn get(&self, at: usize) -> Option<Vector> {
        let inverse = *self.inverses.get(at)?;
        let start = at.checked_mul(self.width)?;
        Some(Vector { parts: self.parts.get(start..start + self.width)?.to_vec(), inverse })
    }

    /// The blob that a store keeps beside the segment's.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MARK.to_vec();
        out.extend_from_slice(&self.model.to_le_bytes());
        out.extend_from_slice(&packed::length(self.width));
        out.extend_from_slice(&packed::length(self.len()));
        self.inverses.iter().for_each(|inverse| out.extend_from_slice(&inverse.to_le_bytes()));
        out.extend(self.parts.iter().map(|part| part.cast_unsigned()));
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
        if packed::split(bytes, MARK.len())? != MARK {
            return None;
        }
        let model = packed::fixed(bytes)?;
        let width = usize::try_from(packed::fixed(bytes)?).ok()?;
        let count = usize::try_from(packed::fixed(bytes)?).ok()?;
        let mut inverses = packed::split(bytes, count.checked_mul(4)?)?;
        let inverses =
            std::iter::from_fn(|| packed::fixed(&mut inverses).map(f32::from_bits)).collect();
        let parts = packed::split(bytes, count.checked_mul(width)?)?;
        let parts = parts.iter().map(|part| part.cast_signed()).collect();
        bytes.is_empty().then_some(Vectors { model, width, inverses, parts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_angle_survives_a_byte_a_dimension() {
        let mut vectors = Vectors::new(9, 3);
        for numbers in [[1.0, 0.0, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 0.0], [-2.0, 0.0, 0.0]] {
            vectors.push(&Vector::of(&numbers));
        }
        let cosines: Vec<f32> = vectors.cosines(&Vector::of(&[5.0, 0.0, 0.0])).collect();
        for (cosine, expected) in cosines.iter().zip([1.0, 0.6, 0.0, -1.0]) {
            assert!((cosine - expected).abs() < 0.01, "{cosines:?}");
        }
        let read = Vectors::from_bytes(&vectors.to_bytes()).unwrap();
        assert_eq!((read.len(), read.model(), &read), (4, 9, &vectors));
        let bytes = vectors.to_bytes();
        assert!((0..bytes.len()).all(|end| Vectors::from_bytes(&bytes[..end]).is_err()));
    }
}
