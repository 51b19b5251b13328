//! Any bytes as the answer of every search provider, then the ranking of what was found.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quarry_search::rank::rank;
use quarry_search::{Provider, Query};

/// What a title and a description are shortened to, and the sign that says so.
const TITLE: usize = 300 + 4;
const DESCRIPTION: usize = 1_000 + 4;

fuzz_target!(|data: &[u8]| {
    let body = String::from_utf8_lossy(data);
    for provider in Provider::all() {
        for status in [200, 202, 403, 429, 500] {
            let Ok((hits, _)) = provider.parse(status, &body) else { continue };
            assert!(!hits.is_empty(), "{} found nothing and says otherwise", provider.name());
            for hit in &hits {
                assert!(hit.title.len() <= TITLE && hit.description.len() <= DESCRIPTION);
                assert!(hit.provider_score.is_none_or(f64::is_finite));
            }
            let query = Query::new("how tall is the tower", 10).expect("a query");
            let ranked = rank(hits, &query);
            assert!(ranked.len() <= 10);
            for result in ranked {
                assert!((0.0..=1.0).contains(&result.score), "{}", result.score);
                assert!(matches!(result.url.scheme(), "http" | "https"));
            }
        }
    }
});
