//! Generated from the world `gateway`; nothing outside `convert` and the callers of `ask` sees it.

wit_bindgen::generate!({
    world: "gateway",
    path: "../../wit",
    generate_all,
});
