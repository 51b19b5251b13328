//! Random numbers of the host, fit for secrets.

use spin_sdk::wasip3::random::random;

/// 64 random bits.
pub fn bits64() -> u64 {
    random::get_random_u64()
}

/// 128 random bits.
pub fn bits128() -> u128 {
    (u128::from(bits64()) << 64) | u128::from(bits64())
}

/// From 0 to 1, both included.
pub fn fraction() -> f64 {
    f64::from(u32::try_from(bits64() >> 32).unwrap_or(0)) / f64::from(u32::MAX)
}
