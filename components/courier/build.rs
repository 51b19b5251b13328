//! Sets the size of the shadow stack.

include!("../stack.rs");
