//! Generated from `wit/`; its types stay within this component.
#![allow(missing_docs, unsafe_code, clippy::all, clippy::restriction, reason = "generated")]

use crate::Orchestrator;

wit_bindgen::generate!({
    world: "orchestrator",
    path: "../../wit",
    generate_all,
});

export!(Orchestrator);
