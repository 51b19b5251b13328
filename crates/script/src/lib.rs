//! Runs one untrusted JavaScript program within limits.
