//! FNV-1a: a number made of bytes that is the same in every build and version. What is stored needs that, and the
//! standard library's hasher does not promise it.
//!
//! Border: it tells things apart, and protects against nobody who means it.

/// Of 64 bits.
#[must_use]
pub fn bits64(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Of 32 bits: for thousands that are kept, where one of them may be another's by chance.
#[must_use]
pub fn bits32(bytes: impl IntoIterator<Item = u8>) -> u32 {
    bytes
        .into_iter()
        .fold(0x811c_9dc5, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_published_algorithm() {
        // Vectors of the FNV reference.
        for (text, wide, short) in [
            ("", 0xcbf2_9ce4_8422_2325_u64, 0x811c_9dc5_u32),
            ("a", 0xaf63_dc4c_8601_ec8c, 0xe40c_292c),
            ("foobar", 0x8594_4171_f739_67e8, 0xbf9c_f968),
        ] {
            assert_eq!(bits64(text.bytes()), wide, "{text}");
            assert_eq!(bits32(text.bytes()), short, "{text}");
        }
    }
}
