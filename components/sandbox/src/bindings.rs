//! Generated from `wit/`; its types stay within this component.
#![allow(missing_docs, unsafe_code, reason = "generated")]

wit_bindgen::generate!({
    world: "sandbox",
    path: "../../wit",
    generate_all,
    additional_derives: [serde::Serialize, serde::Deserialize],
});

pub(crate) use exports::quarry::sandbox::javascript;

use crate::Sandbox;
export!(Sandbox with_types_in self);
