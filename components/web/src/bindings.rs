//! Generated from `wit/`; its types stay within this component.
#![allow(missing_docs, unsafe_code, reason = "generated")]

wit_bindgen::generate!({
    world: "web",
    path: "../../wit",
    generate_all,
    additional_derives: [serde::Serialize, serde::Deserialize],
});

pub(crate) use exports::quarry::web::{network, pages, search};

use crate::Web;
export!(Web with_types_in self);
