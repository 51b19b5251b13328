//! How good a ranking is.
//!
//! Border: the grades of what was found, in its order, and of what there is; numbers 0 to 1 out.

use std::fmt;

/// How good a ranking is, each 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Measures {
    /// Whether the first is relevant, one of the first three, of the first five.
    pub hits: [f64; 3],
    /// One by the rank of the first that is relevant.
    pub mrr: f64,
    /// The first ten, by their grades and ranks, beside the best ten that could be (Järvelin and Kekäläinen 2002).
    pub ndcg: f64,
}

impl Measures {
    /// Of the grades of what was found, in its order, and of all that is relevant, at least one above 0.
    pub fn of(found: &[f64], relevant: impl Iterator<Item = f64>) -> Measures {
        let first = found.iter().position(|grade| *grade > 0.0);
        let within = |most: usize| if first.is_some_and(|first| first < most) { 1.0 } else { 0.0 };
        let mut best: Vec<f64> = relevant.collect();
        best.sort_by(|one, other| other.total_cmp(one));
        Measures {
            hits: [1, 3, 5].map(within),
            mrr: first.map_or(0.0, |first| 1.0 / rank(first)),
            ndcg: gain(found) / gain(&best).max(f64::MIN_POSITIVE),
        }
    }

    /// The mean of several.
    pub fn mean(all: impl Iterator<Item = Measures>) -> Measures {
        let mut sum = Measures::default();
        let mut count = 0.0_f64;
        for one in all {
            count += 1.0;
            sum.hits.iter_mut().zip(one.hits).for_each(|(sum, one)| *sum += one);
            sum.mrr += one.mrr;
            sum.ndcg += one.ndcg;
        }
        let count = count.max(1.0);
        let Measures { hits, mrr, ndcg } = sum;
        Measures { hits: hits.map(|hits| hits / count), mrr: mrr / count, ndcg: ndcg / count }
    }
}

impl fmt::Display for Measures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, three, five] = self.hits;
        write!(f, "{one:>7.3} {three:>7.3} {five:>7.3} {:>7.3} {:>8.3}", self.mrr, self.ndcg)
    }
}

#[allow(clippy::cast_precision_loss, reason = "ranks are small")]
fn rank(place: usize) -> f64 {
    place as f64 + 1.0
}

/// The grades of the first ten, each by the logarithm of its rank.
fn gain(grades: &[f64]) -> f64 {
    let parts = grades.iter().take(10).enumerate();
    parts.map(|(place, grade)| grade.max(0.0) / (rank(place) + 1.0).log2()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rankings_are_worth_what_the_textbook_says() {
        let perfect = Measures::of(&[3.0, 1.0, 0.0], [1.0, 3.0].into_iter());
        assert_eq!(perfect, Measures { hits: [1.0; 3], mrr: 1.0, ndcg: 1.0 });
        let late = Measures::of(&[0.0, 0.0, 0.0, 2.0], [2.0].into_iter());
        assert_eq!((late.hits, late.mrr), ([0.0, 0.0, 1.0], 0.25));
        assert!((late.ndcg - 1.0 / 5.0_f64.log2()).abs() < 1e-12);
        assert_eq!(Measures::of(&[0.0], [1.0].into_iter()), Measures::default());
        let beyond = [vec![0.0; 10], vec![1.0]].concat();
        assert_eq!(Measures::of(&beyond, [1.0].into_iter()).ndcg, 0.0);
        let mean = Measures::mean([perfect, Measures::default()].into_iter());
        assert_eq!(mean, Measures { hits: [0.5; 3], mrr: 0.5, ndcg: 0.5 });
    }
}
