//! Names for what people share: an ask's id opens the ask, so it stands in no id that goes around.

pub(crate) use quarry_admission::shared::{SHARED as KEPT, hash, shared_name};

/// The id of something that belongs to an ask.
pub(crate) fn of(prefix: &str, ask: &str) -> String {
    format!("{prefix}{}", shared_name(ask))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_does_not_tell_the_ask() {
        let ask = "019a00000000abcdef00000000000000";
        let id = of("chatcmpl-", ask);
        assert_eq!(id.len(), "chatcmpl-".len() + KEPT);
        assert!(!id.contains(&ask[..8]));
        assert_eq!(id, of("chatcmpl-", ask));
        assert_eq!(hash(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
