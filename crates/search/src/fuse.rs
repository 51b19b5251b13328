//! Results of several providers as one list: reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009).

use crate::providers::Provider;
use crate::rank::Ranked;
use quarry_evidence::address;

/// How little the first places differ; the paper's number.
const K: f64 = 60.0;

/// Fuses lists, each ranked by us; gives the best `limit`, each with the providers that found it, joined
/// by `+`. The score is the share of what a result has that every provider puts first, 0 to 1; our own
/// score decides between equals. A single list stays as it is.
pub fn fuse(lists: Vec<(Provider, Vec<Ranked>)>, limit: u32) -> Vec<(Ranked, String)> {
    if let [(provider, _)] = lists.as_slice() {
        let name = provider.name().to_owned();
        let only = lists.into_iter().flat_map(|(_, results)| results);
        return only.map(|ranked| (ranked, name.clone())).collect();
    }
    #[expect(clippy::cast_precision_loss, reason = "a handful of providers")]
    let most = lists.len() as f64 / (K + 1.0);
    let mut fused: Vec<Fused> = Vec::new();
    for (provider, results) in lists {
        for (place, ranked) in results.into_iter().enumerate() {
            #[expect(clippy::cast_precision_loss, reason = "places are small")]
            let share = 1.0 / (K + 1.0 + place as f64);
            let key = address::key(&ranked.url);
            match fused.iter_mut().find(|known| known.key == key) {
                Some(known) => known.join(provider, ranked, share),
                None => fused.push(Fused { key, share, names: vec![provider.name()], ranked }),
            }
        }
    }
    fused.sort_by(|one, other| {
        let by_share = other.share.total_cmp(&one.share);
        by_share.then_with(|| other.ranked.score.total_cmp(&one.ranked.score))
    });
    fused.truncate(limit as usize);
    let finish = |mut fused: Fused| {
        fused.ranked.score = (fused.share / most * 10_000.0).round() / 10_000.0;
        (fused.ranked, fused.names.join("+"))
    };
    fused.into_iter().map(finish).collect()
}

struct Fused {
    key: String,
    share: f64,
    names: Vec<&'static str>,
    ranked: Ranked,
}

impl Fused {
    fn join(&mut self, provider: Provider, ranked: Ranked, share: f64) {
        self.share += share;
        self.names.push(provider.name());
        self.ranked.score = self.ranked.score.max(ranked.score);
        // The same page may say more about itself elsewhere.
        if ranked.description.len() > self.ranked.description.len() {
            self.ranked.description = ranked.description;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use url::Url;

    fn named(name: &str) -> Provider {
        Provider::named(name).unwrap()
    }

    fn list(paths: &[&str]) -> Vec<Ranked> {
        let ranked = |path: &&str| Ranked {
            title: (*path).to_owned(),
            url: Url::parse(&format!("https://example.com/{path}")).unwrap(),
            description: String::new(),
            score: 0.5,
            provider_score: None,
        };
        paths.iter().map(ranked).collect()
    }

    fn shown(fused: &[(Ranked, String)]) -> Vec<(&str, &str)> {
        fused.iter().map(|(ranked, names)| (ranked.title.as_str(), names.as_str())).collect()
    }

    #[test]
    fn what_several_found_comes_first() {
        let lists = vec![
            (named("brave"), list(&["a", "b", "c"])),
            (named("tavily"), list(&["d", "c", "e"])),
        ];
        let fused = fuse(lists, 4);
        assert_eq!(
            shown(&fused),
            [("c", "brave+tavily"), ("a", "brave"), ("d", "tavily"), ("b", "brave")]
        );
        assert!(fused.iter().all(|(ranked, _)| (0.0..=1.0).contains(&ranked.score)));
        let first = fuse(vec![(named("brave"), list(&["a"])), (named("tavily"), list(&["a"]))], 9);
        assert!((first[0].0.score - 1.0).abs() < f64::EPSILON);
    }

    #[test]
    fn one_list_stays_as_it_is() {
        let fused = fuse(vec![(named("brave"), list(&["a", "b"]))], 1);
        assert_eq!(shown(&fused), [("a", "brave"), ("b", "brave")]);
        assert!((fused[0].0.score - 0.5).abs() < f64::EPSILON);
        assert!(fuse(Vec::new(), 5).is_empty());
    }
}
