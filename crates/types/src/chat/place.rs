//! Providers that serve some countries and not others.

use super::ChatError;

/// Words with which providers refuse whoever calls from a country that they do not serve, in lower case. They have no
/// status in common for it.
pub const PLACES: [&str; 5] = [
    "unsupported_country",
    "country, region, or territory not supported",
    "location is not supported",
    "not available in your country",
    "not available in your region",
];

impl ChatError {
    /// Whether its provider serves nobody where the call came from: neither another key nor another request helps there.
    #[must_use]
    pub fn is_of_place(&self) -> bool {
        let ChatError::Rejected { message, .. } = self else { return false };
        let message = message.to_lowercase();
        PLACES.iter().any(|words| message.contains(words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_is_not_served_is_told_by_the_words() {
        let rejected =
            |message: &str| ChatError::Rejected { status: 403, message: message.to_owned() };
        for words in [
            "Country, region, or territory not supported",
            "User location is not supported for the API use.",
            "This model is not available in your region",
        ] {
            assert!(rejected(words).is_of_place(), "{words}");
        }
        assert!(!rejected("the country of the question is not known").is_of_place());
        let message = "Country, region, or territory not supported".to_owned();
        assert!(!ChatError::Unauthorized { message }.is_of_place(), "another key helps there");
    }
}
