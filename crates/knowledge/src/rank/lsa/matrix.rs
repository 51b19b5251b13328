//! Matrices, as far as a singular value decomposition needs them.
//!
//! Border: numbers in, numbers out. Every sum has one order, and nothing but the four operations and the square
//! root is used: so every platform gives the same bits. That, and that a page suffices, is why no library of linear
//! algebra is here: those choose their instructions by the processor, and sum as that likes. In a component the
//! loops that take the time work on four numbers at once (`simd128`, which every WebAssembly runtime of today has);
//! no sum changes its order by that.

use super::square::{Factor, Square};
use std::ops::{AddAssign, Mul};

/// A matrix of few non-zero numbers, by rows.
#[derive(Debug, Clone, Default)]
pub struct Sparse {
    ends: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f32>,
}

impl Sparse {
    /// Adds a row: columns with their values.
    pub fn push(&mut self, row: impl Iterator<Item = (u32, f32)>) {
        for (column, value) in row {
            self.columns.push(column);
            self.values.push(value);
        }
        self.ends.push(self.columns.len());
    }

    /// How many rows there are.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.ends.len()
    }

    fn row(&self, at: usize) -> (&[u32], &[f32]) {
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before)).copied();
        let range = start.unwrap_or_default()..self.ends.get(at).copied().unwrap_or_default();
        let columns = self.columns.get(range.clone()).unwrap_or_default();
        (columns, self.values.get(range).unwrap_or_default())
    }

    /// This matrix times another.
    #[must_use]
    pub fn times(&self, right: &Dense) -> Dense {
        let mut product = Dense::zero(self.rows(), right.width);
        for (at, out) in product.rows_mut().enumerate() {
            let (columns, values) = self.row(at);
            let (by_columns, last) = columns.as_chunks::<4>();
            let (by_values, rest) = values.as_chunks::<4>();
            for (columns, values) in by_columns.iter().zip(by_values) {
                add_four(out, *values, columns.map(|column| right.row(index(column))));
            }
            for (column, value) in last.iter().zip(rest) {
                add(out, *value, right.row(index(*column)));
            }
        }
        product
    }

    /// This matrix on its side, which has so many rows then. To multiply by it goes through its rows as well: what is
    /// summed up is read and written once for four numbers, where this matrix would scatter each.
    #[must_use]
    pub fn transposed(&self, rows: usize) -> Sparse {
        let mut ends = vec![0_usize; rows];
        let place = |ends: &mut [usize], column: u32| {
            ends.get_mut(index(column)).map(|end| {
                *end += 1;
                *end - 1
            })
        };
        for column in &self.columns {
            place(&mut ends, *column);
        }
        let mut begins = 0;
        // Each begins where the one before ends; filling it moves its beginning to its end.
        ends.iter_mut().for_each(|end| begins += std::mem::replace(end, begins));
        let mut columns = vec![0_u32; self.columns.len()];
        let mut values = vec![0.0_f32; self.values.len()];
        for (at, number) in (0..self.rows()).zip(0_u32..) {
            let (own, by) = self.row(at);
            for (column, value) in own.iter().zip(by) {
                let Some(to) = place(&mut ends, *column) else { continue };
                columns.get_mut(to).into_iter().for_each(|to| *to = number);
                values.get_mut(to).into_iter().for_each(|to| *to = *value);
            }
        }
        Sparse { ends, columns, values }
    }
}

fn index(column: u32) -> usize {
    usize::try_from(column).unwrap_or(usize::MAX)
}

/// Numbers that a turn of a loop takes: a host that may interrupt a component asks at each turn whether to.
const BLOCK: usize = 16;

/// Numbers that are worked on at once.
const LANES: usize = 4;

/// Adds a multiple of one row to another.
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
pub fn add<N: Copy + AddAssign + Mul<Output = N>>(to: &mut [N], times: N, row: &[N]) {
    let (blocks, rest) = to.as_chunks_mut::<BLOCK>();
    let (by_blocks, by_rest) = row.as_chunks::<BLOCK>();
    for (to, row) in blocks.iter_mut().zip(by_blocks) {
        to.iter_mut().zip(row).for_each(|(to, value)| *to += times * *value);
    }
    rest.iter_mut().zip(by_rest).for_each(|(to, value)| *to += times * *value);
}

/// Adds multiples of four rows to another, which is then read and written once for all four.
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
fn add_four(to: &mut [f32], times: [f32; 4], rows: [&[f32]; 4]) {
    let [one, two, three, four] = rows.map(<[f32]>::as_chunks::<BLOCK>);
    let (blocks, rest) = to.as_chunks_mut::<BLOCK>();
    let by_blocks = one.0.iter().zip(two.0).zip(three.0.iter().zip(four.0));
    for (to, ((one, two), (three, four))) in blocks.iter_mut().zip(by_blocks) {
        add_block(to, times, [one, two, three, four]);
    }
    let [one, two, three, four] = [one.1, two.1, three.1, four.1].map(<[f32]>::as_chunks::<LANES>);
    let (lanes, rest) = rest.as_chunks_mut::<LANES>();
    let by_lanes = one.0.iter().zip(two.0).zip(three.0.iter().zip(four.0));
    for (to, ((one, two), (three, four))) in lanes.iter_mut().zip(by_lanes) {
        add_block(to, times, [one, two, three, four]);
    }
    let rows = one.1.iter().zip(two.1).zip(three.1.iter().zip(four.1));
    for (to, ((one, two), (three, four))) in rest.iter_mut().zip(rows) {
        *to += (times[0] * one + times[1] * two) + (times[2] * three + times[3] * four);
    }
}

/// The same for one block.
#[inline(always)]
#[expect(
    clippy::indexing_slicing,
    reason = "of their own length; zips of five do not become vectors"
)]
fn add_block<const N: usize>(to: &mut [f32; N], times: [f32; 4], rows: [&[f32; N]; 4]) {
    let [one, two, three, four] = rows;
    for at in 0..N {
        to[at] += (times[0] * one[at] + times[1] * two[at])
            + (times[2] * three[at] + times[3] * four[at]);
    }
}

/// A matrix of numbers, row after row.
#[derive(Debug, Clone)]
pub struct Dense {
    width: usize,
    data: Vec<f32>,
}

impl Dense {
    /// One of zeros.
    #[must_use]
    pub fn zero(rows: usize, width: usize) -> Dense {
        Dense { width: width.max(1), data: vec![0.0; rows * width.max(1)] }
    }

    /// One of numbers without any order.
    #[cfg(test)]
    pub fn of_chance(rows: usize, width: usize) -> Dense {
        let mut at = 0_u32;
        let mut matrix = Dense::zero(rows, width);
        matrix.data.iter_mut().for_each(|value| {
            at = at.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            *value = (at >> 16) as f32 / 65_536.0 - 0.5;
        });
        matrix
    }

    /// How wide a row is.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// A row; an empty one where there is none.
    #[must_use]
    pub fn row(&self, at: usize) -> &[f32] {
        let start = at.saturating_mul(self.width);
        self.data.get(start..start.saturating_add(self.width)).unwrap_or_default()
    }

    /// A row that may be changed.
    pub fn row_mut(&mut self, at: usize) -> &mut [f32] {
        let start = at.saturating_mul(self.width);
        self.data.get_mut(start..start.saturating_add(self.width)).unwrap_or_default()
    }

    /// All rows.
    pub fn rows(&self) -> impl Iterator<Item = &[f32]> {
        self.data.chunks_exact(self.width)
    }

    /// All rows, to be changed.
    pub fn rows_mut(&mut self) -> impl Iterator<Item = &mut [f32]> {
        self.data.chunks_exact_mut(self.width)
    }

    /// This matrix times a small one, of which only what stands above the diagonal counts where it is a `triangle`.
    #[must_use]
    pub fn times(&self, right: &Dense, triangle: bool) -> Dense {
        let mut product = Dense::zero(self.data.len() / self.width, right.width);
        let from = |at: usize| if triangle { at } else { 0 };
        for (row, out) in self.rows().zip(product.rows_mut()) {
            let (by_four, rest) = row.as_chunks::<4>();
            for (times, at) in by_four.iter().zip((0..).step_by(4)) {
                let out = out.get_mut(from(at)..).unwrap_or_default();
                let rows = [0, 1, 2, 3].map(|next| right.row(at + next));
                add_four(out, *times, rows.map(|row| row.get(from(at)..).unwrap_or_default()));
            }
            for (times, at) in rest.iter().zip(4 * by_four.len()..) {
                add(out, *times, right.row(at));
            }
        }
        product
    }

    /// Its columns' products with one another.
    #[must_use]
    pub fn gram(&self) -> Square {
        self.products(self)
    }

    /// The products of its columns with those of a matrix of the same form, where it is nothing to a product which of
    /// the two columns is whose. Some hundred rows are summed up with few digits, which fits into the processor's
    /// nearest cache, and their sums with many.
    #[must_use]
    pub fn products(&self, with: &Dense) -> Square {
        const TOGETHER: usize = 256;
        let mut products = Square::zero(self.width);
        let together = TOGETHER * self.width;
        for (rows, with) in self.data.chunks(together).zip(with.data.chunks(together)) {
            let mut part = Dense::zero(self.width, self.width);
            let four = 4 * self.width;
            for (rows, with) in rows.chunks(four).zip(with.chunks(four)) {
                part.add_products(self.each(rows), self.each(with));
            }
            products.add(&part.data);
        }
        products.mirrored()
    }

    /// The rows of a piece; empty ones where it has less than four.
    fn each<'d>(&self, piece: &'d [f32]) -> [&'d [f32]; 4] {
        let mut rows = piece.chunks(self.width);
        [(); 4].map(|()| rows.next().unwrap_or_default())
    }

    /// Adds the products of the numbers of each row with those of another from the same place on.
    fn add_products(&mut self, rows: [&[f32]; 4], with: [&[f32]; 4]) {
        for at in 0..self.width {
            let times = rows.map(|row| row.get(at).copied().unwrap_or_default());
            let from = with.map(|row| row.get(at..).unwrap_or_default());
            let to = self.row_mut(at).get_mut(at..).unwrap_or_default();
            if from.iter().all(|row| !row.is_empty()) {
                add_four(to, times, from);
            } else {
                from.iter().zip(times).for_each(|(row, times)| add(to, times, row));
            }
        }
    }

    /// With its columns as unit vectors at right angles to one another; a column that the others make up becomes
    /// zero. By Cholesky's factor of its products, which loses half of the digits: done twice, there are all of them.
    #[must_use]
    pub fn at_right_angles(&self, factor: &Factor) -> Dense {
        self.times(&factor.inverse(), true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_at_right_angles_and_what_others_make_up_is_zero() {
        let mut matrix = Dense::of_chance(50, 6);
        // The last column is the sum of the first two.
        matrix.rows_mut().for_each(|row| row[5] = row[0] + row[1]);
        for _ in 0..2 {
            matrix = matrix.at_right_angles(&matrix.gram().cholesky());
        }
        let gram = matrix.gram();
        for one in 0..6 {
            for other in 0..6 {
                let expected = if one == other && one < 5 { 1.0 } else { 0.0 };
                assert!((gram.get(one, other) - expected).abs() < 1e-5, "{one} {other}");
            }
        }
    }

    #[test]
    fn products_are_those_of_the_full_matrices() {
        let full = [[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]];
        let mut sparse = Sparse::default();
        for row in full {
            sparse.push((0_u32..).zip(row).filter(|(_, value)| *value != 0.0));
        }
        let right = Dense::of_chance(3, 2);
        let product = sparse.times(&right);
        let back = sparse.transposed(3).times(&product);
        for (row, out) in full.iter().zip(product.rows()) {
            for (column, value) in out.iter().enumerate() {
                let sum: f32 = (0..3).map(|at| row[at] * right.row(at)[column]).sum();
                assert!((value - sum).abs() < 1e-6);
            }
        }
        assert!((back.row(2)[1] - 2.0 * product.row(0)[1]).abs() < 1e-6);
    }
}
