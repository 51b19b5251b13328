//! Runs untrusted JavaScript, one program at a time.
