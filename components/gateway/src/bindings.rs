//! Generated from the world `gateway`; its types stay within this component.

wit_bindgen::generate!({
    world: "gateway",
    path: "../../wit",
    generate_all,
});
