//! Speaks to model providers; the only reader of their keys.
