//! Places in a store that names share. Each name writes over what stands in its place, so the store does not grow with
//! what is kept there, and nothing has to be swept.
//!
//! Border: keys only. Two names can have one place, so an entry says whose it is.

use crate::fnv;

/// Places of a room.
pub const COUNT: u64 = 16_384;

/// The key of a name's place.
#[must_use]
pub fn key(room: &str, name: &str) -> String {
    format!("{room}/{:04x}", fnv::bits64(name.bytes()) % COUNT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_version_has_kept_the_next_one_finds() {
        assert_eq!(key("web/rules", "https://example.com"), "web/rules/00b3");
        assert_eq!(key("web/answer", "https://example.com"), "web/answer/00b3");
    }
}
