//! Generated from `wit/`; its types stay within this component.
#![allow(missing_docs, unsafe_code, clippy::all, clippy::restriction, reason = "generated")]

wit_bindgen::generate!({
    world: "knowledge",
    path: "../../wit",
    generate_all,
});

pub(crate) use exports::quarry::knowledge::{collections, documents, search, types};

use crate::Knowledge;
export!(Knowledge);
