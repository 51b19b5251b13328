//! Small square matrices with many digits: what the columns of a large one are to one another.
//!
//! Border: numbers in, numbers out, each sum in one order, as in [`super::matrix`].

use super::matrix::{Dense, add};

/// A small square matrix with many digits.
#[derive(Debug, Clone)]
pub struct Square {
    width: usize,
    data: Vec<f64>,
}

impl Square {
    /// One of zeros.
    #[must_use]
    pub fn zero(width: usize) -> Square {
        Square { width, data: vec![0.0; width * width] }
    }

    /// Adds numbers, row after row.
    pub fn add(&mut self, numbers: &[f32]) {
        self.data.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += f64::from(*number));
    }

    fn identity(width: usize) -> Square {
        let mut square = Square::zero(width);
        (0..width).for_each(|at| square.set(at, at, 1.0));
        square
    }

    /// A number of it.
    #[must_use]
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.data.get(row * self.width + column).copied().unwrap_or_default()
    }

    fn set(&mut self, row: usize, column: usize, value: f64) {
        self.data.get_mut(row * self.width + column).into_iter().for_each(|at| *at = value);
    }

    /// A row of it.
    #[must_use]
    pub fn row(&self, at: usize) -> &[f64] {
        self.data.get(at * self.width..(at + 1) * self.width).unwrap_or_default()
    }

    fn row_mut(&mut self, at: usize) -> &mut [f64] {
        self.data.get_mut(at * self.width..(at + 1) * self.width).unwrap_or_default()
    }

    /// With what stands above the diagonal below it as well.
    #[must_use]
    pub fn mirrored(mut self) -> Square {
        for at in 0..self.width {
            for below in at + 1..self.width {
                self.set(below, at, self.get(at, below));
            }
        }
        self
    }

    fn transposed(&self) -> Square {
        let mut turned = Square::zero(self.width);
        for row in 0..self.width {
            (0..self.width).for_each(|column| turned.set(column, row, self.get(row, column)));
        }
        turned
    }

    /// The upper triangle R with RᵀR = this. The row of a column that others make up is zero.
    #[must_use]
    pub fn cholesky(mut self) -> Factor {
        // What is left of a column that others make up, of numbers with seven digits.
        const NOTHING: f64 = 1e-6;
        let whole: Vec<f64> = (0..self.width).map(|at| self.get(at, at)).collect();
        let mut least = 1.0_f64;
        for (at, whole) in whole.into_iter().enumerate() {
            let pivot = self.get(at, at);
            let root = if pivot > whole * NOTHING { pivot.sqrt() } else { 0.0 };
            if root > 0.0 {
                least = least.min(pivot / whole);
            }
            let row = self.row_mut(at);
            row.iter_mut().for_each(|value| *value = if root > 0.0 { *value / root } else { 0.0 });
            let row = row.to_vec();
            for below in at + 1..self.width {
                let times = row.get(below).copied().unwrap_or_default();
                let rest = self.row_mut(below).get_mut(below..).unwrap_or_default();
                let above = row.get(below..).unwrap_or_default();
                rest.iter_mut().zip(above).for_each(|(value, above)| *value -= times * above);
            }
        }
        Factor { triangle: self, least }
    }

    /// The eigenvalues of a symmetric matrix, the largest first, each with its vector. By Jacobi's rotations.
    #[must_use]
    pub fn eigen(mut self) -> Vec<(f64, Vec<f64>)> {
        const SWEEPS: usize = 30;
        // What comes in has seven digits.
        const EXACT: f64 = 1e-9;
        let mut vectors = Square::identity(self.width);
        for _ in 0..SWEEPS {
            let diagonal: f64 = (0..self.width).map(|at| self.get(at, at).abs()).sum();
            let mut rest = 0.0;
            for one in 0..self.width {
                for other in one + 1..self.width {
                    rest += self.get(one, other).abs();
                    self.rotate(&mut vectors, one, other);
                }
            }
            if rest <= diagonal * EXACT {
                break;
            }
        }
        let pairs = (0..self.width).map(|at| (self.get(at, at), vectors.row(at).to_vec()));
        let mut pairs: Vec<(f64, Vec<f64>)> = pairs.collect();
        pairs.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        pairs
    }

    /// Turns two axes so that the number which couples them vanishes.
    fn rotate(&mut self, vectors: &mut Square, one: usize, other: usize) {
        let coupling = self.get(one, other);
        let (first, second) = (self.get(one, one), self.get(other, other));
        if coupling.abs() <= 1e-12 * (first.abs() + second.abs()) {
            return;
        }
        let ratio = (second - first) / (2.0 * coupling);
        let tangent = ratio.signum() / (ratio.abs() + (ratio * ratio + 1.0).sqrt());
        let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
        let sine = tangent * cosine;
        self.turn(one, other, (sine, cosine));
        vectors.turn(one, other, (sine, cosine));
        // What stands left and right of the diagonal is the same, but for the four numbers where the axes meet.
        for at in (0..self.width).filter(|at| *at != one && *at != other) {
            self.set(at, one, self.get(one, at));
            self.set(at, other, self.get(other, at));
        }
        self.set(one, one, first - tangent * coupling);
        self.set(other, other, second + tangent * coupling);
        self.set(one, other, 0.0);
        self.set(other, one, 0.0);
    }

    /// Turns two of its rows.
    fn turn(&mut self, one: usize, other: usize, (sine, cosine): (f64, f64)) {
        let width = self.width;
        let Some((before, from)) = self.data.split_at_mut_checked(other * width) else { return };
        let one = before.get_mut(one * width..).unwrap_or_default();
        for (one, other) in one.iter_mut().take(width).zip(from) {
            (*one, *other) = (cosine * *one - sine * *other, sine * *one + cosine * *other);
        }
    }
}

/// The upper triangle R with RᵀR = the products of some columns: what makes these unit vectors at right angles.
#[derive(Debug, Clone)]
pub struct Factor {
    triangle: Square,
    /// The least share of a column that those before it do not make up, of those that they do not make up at all.
    pub least: f64,
}

impl Factor {
    /// What a row is to be multiplied with to divide it by this.
    #[must_use]
    pub fn inverse(&self) -> Dense {
        let width = self.triangle.width;
        let mut inverse = Dense::zero(width, width);
        for (at, out) in inverse.rows_mut().enumerate() {
            let mut row = vec![0.0; width];
            row.get_mut(at).into_iter().for_each(|value| *value = 1.0);
            self.solve(&mut row);
            #[allow(clippy::cast_possible_truncation, reason = "kept with fewer digits")]
            out.iter_mut().zip(row).for_each(|(out, value)| *out = value as f32);
        }
        inverse
    }

    /// Divides a row by this, from the right; a column whose diagonal is zero gives nothing.
    fn solve(&self, row: &mut [f64]) {
        for at in 0..self.triangle.width {
            let pivot = self.triangle.get(at, at);
            let Some((value, rest)) = row.get_mut(at..).and_then(<[f64]>::split_first_mut) else {
                return;
            };
            *value = if pivot > 0.0 { *value / pivot } else { 0.0 };
            let factors = self.triangle.row(at).get(at + 1..).unwrap_or_default();
            add(rest, -*value, factors);
        }
    }

    /// Divides products of the columns with others of theirs by this, from both sides: what they are when the columns
    /// are unit vectors at right angles.
    #[must_use]
    pub fn divide(&self, products: &Square) -> Square {
        let mut from_right = products.clone();
        from_right.data.chunks_exact_mut(products.width.max(1)).for_each(|row| self.solve(row));
        let mut both = from_right.transposed();
        both.data.chunks_exact_mut(products.width.max(1)).for_each(|row| self.solve(row));
        both.mirrored()
    }

    /// Divides a column by this, from the left.
    #[must_use]
    pub fn divided(&self, mut column: Vec<f64>) -> Vec<f64> {
        for at in (0..self.triangle.width).rev() {
            let pivot = self.triangle.get(at, at);
            let (above, below) = column.split_at_mut_checked(at + 1).unwrap_or_default();
            let factors = self.triangle.row(at).get(at + 1..).unwrap_or_default();
            let known: f64 = factors.iter().zip(below).map(|(factor, part)| factor * *part).sum();
            if let Some(value) = above.last_mut() {
                *value = if pivot > 0.0 { (*value - known) / pivot } else { 0.0 };
            }
        }
        column
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_divided_by_lengths_are_those_of_columns_at_right_angles() {
        let (matrix, other) = (
            Dense::of_chance(60, 5),
            Dense::of_chance(60, 5).times(&Dense::of_chance(5, 5), false),
        );
        let factor = matrix.gram().cholesky();
        assert!(factor.least > 0.1, "{}", factor.least);
        let identity = factor.divide(&matrix.gram());
        for one in 0..5 {
            let divided = factor.divided((0..5).map(|at| f64::from(other.row(one)[at])).collect());
            for at in 0..5 {
                let expected = f64::from(u8::from(one == at));
                assert!((identity.get(one, at) - expected).abs() < 1e-6, "{one} {at}");
                // The triangle times what was divided by it is what was there.
                let row = factor.triangle.row(at).iter().enumerate().skip(at);
                let again: f64 = row.map(|(column, part)| part * divided[column]).sum();
                assert!((again - f64::from(other.row(one)[at])).abs() < 1e-6, "{one} {at}");
            }
        }
    }

    #[test]
    fn a_symmetric_matrix_is_its_eigenvalues_and_vectors() {
        let gram = Dense::of_chance(40, 8).gram();
        let pairs = gram.clone().eigen();
        assert!(pairs.is_sorted_by(|one, other| one.0 >= other.0));
        for (value, vector) in pairs {
            for at in 0..8 {
                let product: f64 = gram.row(at).iter().zip(&vector).map(|(a, b)| a * b).sum();
                assert!((product - value * vector[at]).abs() < 1e-7);
            }
        }
    }
}
