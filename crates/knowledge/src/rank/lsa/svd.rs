//! The strongest directions of a large sparse matrix.
//!
//! Source: N. Halko, P. Martinsson, J. Tropp, "Finding structure with randomness", 2011: a random projection, refined
//! by power iterations, then exact on what is left.

use super::matrix::{Dense, Sparse, add};

/// Directions beyond those that are wanted, which make these better.
const SPARE: usize = 10;
/// How often the matrix is applied to what was found, there and back.
const POWER: usize = 2;

/// By column: its part in each of the strongest `directions`, the strongest first. Fewer where the matrix has fewer.
/// `columns` are all of them, in the order in which random numbers are drawn for them.
#[must_use]
pub fn directions(matrix: &Sparse, columns: &[u32], directions: usize, seed: u64) -> Dense {
    let drawn = columns.iter().map(|column| usize::try_from(*column).unwrap_or(usize::MAX));
    let columns = columns.len();
    let width = (directions + SPARE).min(matrix.rows()).min(columns);
    let mut random = Random(seed);
    let mut signs = Dense::zero(columns, width);
    for column in drawn {
        signs.row_mut(column).iter_mut().for_each(|sign| *sign = random.sign());
    }
    let mut range = matrix.times(&signs);
    range.orthonormalise(1);
    for round in 1..=POWER {
        range = matrix.times(&matrix.transposed_times(columns, &range));
        // On the way it is enough that no direction swallows the others.
        range.orthonormalise(if round == POWER { 2 } else { 1 });
    }
    let projected = matrix.transposed_times(columns, &range);
    const NOTHING: f64 = 1e-6;
    let pairs = projected.gram().eigen();
    let largest = pairs.first().map_or(0.0, |(value, _)| *value);
    let kept: Vec<Vec<f32>> = pairs
        .into_iter()
        .take(directions)
        .filter(|(value, _)| *value > largest * NOTHING && *value > 0.0)
        .map(|(value, vector)| {
            let root = value.sqrt();
            #[allow(clippy::cast_possible_truncation, reason = "kept with fewer digits")]
            vector.into_iter().map(|part| (part / root) as f32).collect()
        })
        .collect();
    // By part of the projection: what it gives to each direction.
    let mut turn = Dense::zero(width, kept.len());
    for (direction, vector) in kept.iter().enumerate() {
        for (at, part) in vector.iter().enumerate() {
            turn.row_mut(at).get_mut(direction).into_iter().for_each(|to| *to = *part);
        }
    }
    let mut found = Dense::zero(columns, turn.width());
    for (row, out) in projected.rows().zip(found.rows_mut()) {
        for (at, value) in row.iter().enumerate() {
            add(out, *value, turn.row(at));
        }
    }
    found
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
        let found = directions(&matrix, &[0, 1, 2, 3, 4], 4, 7);
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
    fn nothing_has_no_directions() {
        assert!(
            directions(&Sparse::default(), &[0, 1, 2], 4, 1).row(0).iter().all(|part| *part == 0.0)
        );
    }
}
