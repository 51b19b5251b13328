//! Generated from `wit/`; its types stay within this component.
#![allow(missing_docs, unsafe_code, clippy::all, clippy::restriction, reason = "generated")]

wit_bindgen::generate!({
    world: "courier",
    path: "../../wit",
    generate_all,
    additional_derives: [serde::Serialize, serde::Deserialize],
});

export!(Courier);

use crate::Courier;
