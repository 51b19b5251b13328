//! The strongest directions of a large sparse matrix.
//!
//! Source: N. Halko, P. Martinsson, J. Tropp, "Finding structure with randomness", 2011: a random projection, refined
//! by power iterations, then exact on what is left.

use super::matrix::{Dense, Sparse};

/// Directions beyond those that are wanted, which make these better.
/// With those they fill whole blocks of numbers.
const SPARE: usize = 12;
/// How often the matrix is applied to what was found, there and back. What is begun near to it needs none.
const POWER: usize = 2;
/// The share of a column that no other makes up, from which on seven digits are enough for what comes of it.
const APART: f64 = 1e-3;

/// Where to begin.
pub struct Start<'s> {
    /// What the random numbers begin with.
    pub seed: u64,
    /// All columns, in the order in which random numbers are drawn for them.
    pub columns: &'s [u32],
    /// By column: its part in each direction that was found for much the same matrix before. Columns that it did not
    /// have are zero there.
    pub near: Option<Dense>,
}

impl Start<'_> {
    /// By column, numbers for so many directions. What was found before is let go of: it takes as much as what comes next.
    fn matrix(self, width: usize) -> Dense {
        let mut random = Random(self.seed);
        let mut matrix = Dense::zero(self.columns.len(), width);
        let known = self.near.as_ref().map_or(0, Dense::width).min(width);
        // As long as a known direction, so that neither swallows the other.
        #[allow(clippy::cast_precision_loss, reason = "columns are few")]
        let small = if known > 0 { 1.0 / (self.columns.len().max(1) as f32).sqrt() } else { 1.0 };
        for column in self.columns {
            let column = usize::try_from(*column).unwrap_or(usize::MAX);
            let near = self.near.as_ref().map(|near| near.row(column)).unwrap_or_default();
            let is_known = near.iter().any(|part| *part != 0.0);
            for (at, to) in matrix.row_mut(column).iter_mut().enumerate() {
                let drawn = random.sign() * small;
                // What is new takes part in all directions, or those that only it shows would be seen late.
                *to = near.get(at).copied().filter(|_| is_known).unwrap_or(drawn);
            }
        }
        matrix
    }
}

/// By column: its part in each of the strongest `directions`, the strongest first. Fewer where the matrix has fewer.
#[must_use]
pub fn directions(matrix: &Sparse, directions: usize, start: Start<'_>) -> Dense {
    let columns = start.columns.len();
    let power = if start.near.is_some() { 0 } else { POWER };
    let width = (directions + SPARE).min(matrix.rows()).min(columns);
    let turned = matrix.transposed(columns);
    let mut range = matrix.times(&start.matrix(width));
    for _ in 0..power {
        // On the way it is enough that no direction swallows the others.
        range = range.at_right_angles(&range.gram().cholesky());
        range = matrix.times(&turned.times(&range));
    }
    let mut lengths = range.gram().cholesky();
    // Columns that nearly make up one another have lost the digits that tell them apart.
    if lengths.least < APART {
        range = range.at_right_angles(&lengths);
        lengths = range.gram().cholesky();
    }
    // What the matrix makes of the range, there and back, says how it is turned to its strongest directions.
    let image = matrix.times(&turned.times(&range));
    let pairs = lengths.divide(&range.products(&image)).eigen();
    let pairs = pairs.into_iter().map(|(value, vector)| (value, lengths.divided(vector)));
    let (turn, strengths) = turn(&pairs.collect::<Vec<_>>(), directions);
    let mut found = turned.times(&range.times(&turn, false));
    found.rows_mut().for_each(|row| {
        row.iter_mut().zip(&strengths).for_each(|(part, strength)| *part /= strength);
    });
    found
}

/// By part of a range: what it gives to each of the strongest directions; and how strong these are.
fn turn(pairs: &[(f64, Vec<f64>)], directions: usize) -> (Dense, Vec<f32>) {
    const NOTHING: f64 = 1e-6;
    let largest = pairs.first().map_or(0.0, |(value, _)| *value);
    let is_some = |value: &f64| *value > largest * NOTHING && *value > 0.0;
    let kept = pairs.iter().take(directions).filter(|(value, _)| is_some(value));
    let kept: Vec<&(f64, Vec<f64>)> = kept.collect();
    let mut turn = Dense::zero(pairs.len(), kept.len());
    let mut strengths = Vec::with_capacity(kept.len());
    for (direction, (value, vector)) in kept.into_iter().enumerate() {
        #[allow(clippy::cast_possible_truncation, reason = "kept with fewer digits")]
        strengths.push(value.sqrt() as f32);
        for (at, part) in vector.iter().enumerate() {
            #[allow(clippy::cast_possible_truncation, reason = "kept with fewer digits")]
            turn.row_mut(at).get_mut(direction).into_iter().for_each(|to| *to = *part as f32);
        }
    }
    (turn, strengths)
}

/// Random signs that are the same for the same seed: SplitMix64 (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn sign(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        if (bits ^ (bits >> 31)) & 1 == 0 { 1.0 } else { -1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directions_of_a_matrix_of_known_rank_rebuild_it() {
        // Rows are sums of two patterns: two directions say all of it.
        let patterns = [[1.0, 2.0, 0.0, 0.0, 1.0], [0.0, 1.0, 3.0, 1.0, 0.0]];
        let mut matrix = Sparse::default();
        let rows: Vec<Vec<f32>> = (0..12_u16)
            .map(|at| {
                let (a, b) = (f32::from(at % 4), f32::from(at % 3) + 0.5);
                (0..5).map(|column| a * patterns[0][column] + b * patterns[1][column]).collect()
            })
            .collect();
        rows.iter().for_each(|row| matrix.push((0_u32..).zip(row.iter().copied())));
        let start = Start { seed: 7, columns: &[0, 1, 2, 3, 4], near: None };
        let found = directions(&matrix, 4, start);
        assert_eq!(found.width(), 2);
        for row in &rows {
            let parts: Vec<f32> = (0..2)
                .map(|at| (0..5).map(|column| row[column] * found.row(column)[at]).sum())
                .collect();
            for (column, value) in row.iter().enumerate() {
                let again: f32 = (0..2).map(|at| parts[at] * found.row(column)[at]).sum();
                assert!((again - value).abs() < 1e-3, "{again} {value}");
            }
        }
    }

    #[test]
    fn what_was_found_before_leads_to_the_same_directions() {
        let mut random = Random(3);
        let columns: Vec<u32> = (0..60).collect();
        let mut matrix = Sparse::default();
        // Ten subjects of six columns each, the last more often than the first.
        for at in 0..400_u32 {
            let subject = (at % 100).isqrt() * 6;
            let row: Vec<_> =
                (0..6).map(|next| (subject + next, 1.0 + 0.2 * random.sign())).collect();
            matrix.push(row.into_iter());
        }
        let cold = Start { seed: 7, columns: &columns, near: None };
        let found = directions(&matrix, 10, cold);
        let near = Start { seed: 8, columns: &columns, near: Some(found.clone()) };
        let again = directions(&matrix, 10, near);
        for direction in 0..10 {
            let of = |dense: &Dense, column: u32| dense.row(column as usize)[direction];
            let cosine: f32 = columns.iter().map(|at| of(&found, *at) * of(&again, *at)).sum();
            assert!(cosine.abs() > 0.99, "{direction}: {cosine}");
        }
    }

    #[test]
    fn nothing_has_no_directions() {
        let start = Start { seed: 1, columns: &[0, 1, 2], near: None };
        let found = directions(&Sparse::default(), 4, start);
        assert!(found.row(0).iter().all(|part| *part == 0.0));
    }
}
