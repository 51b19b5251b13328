//! The generated bindings of this component's world. They never leave the component.
//!
//! Border: generated code only.
#![allow(missing_docs, reason = "generated from WIT, which holds the documentation")]
#![allow(unsafe_code, reason = "generated: the canonical ABI is raw memory")]
#![allow(clippy::all, clippy::restriction, reason = "generated")]

wit_bindgen::generate!({
    world: "models",
    path: "../../wit",
    generate_all,
});

use super::Models;

export!(Models);
