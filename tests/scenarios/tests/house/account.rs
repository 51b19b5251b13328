//! Accounts of Google's, as callers show them: tokens that the scripted provider's keys sign.

use quarry_test_provider::sign;
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

/// By which Google knows the server.
pub const CLIENT_ID: &str = "quarry-test.apps.example.com";

/// What a token says that was issued so many seconds ago.
pub fn claims(email: &str, age: u64) -> Value {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    json!({
        "iss": "https://accounts.google.com", "aud": CLIENT_ID, "sub": "1", "email": email,
        "email_verified": true, "iat": now - age, "exp": now + 600,
    })
}

pub fn token(email: &str) -> String {
    sign(&claims(email, 10)).unwrap()
}

/// The token as a header has it.
pub fn bearer(email: &str) -> String {
    format!("Bearer {}", token(email))
}

/// The same, issued so many seconds ago.
pub fn bearer_of_age(email: &str, age: u64) -> String {
    format!("Bearer {}", sign(&claims(email, age)).unwrap())
}
