//! How large the components that ship may be.

use quarry_scenarios::quarry::{profile, root};

/// In bytes, by the component's name.
const LIMITS: [(&str, u64); 3] =
    [("quarry", 10_150_000), ("web", 6_000_000), ("sandbox", 10_000_000)];

#[test]
fn what_ships_is_as_small_as_it_was_promised() {
    let finished = root().join("target/quarry");
    for (name, limit) in LIMITS {
        match profile(name).as_str() {
            "ship" => {}
            "quick" => {
                println!("not checked: {name} was built to be built quickly");
                continue;
            }
            _ => panic!("nothing says how {name} was built; build it with `cargo xtask build`"),
        }
        let size = std::fs::metadata(finished.join(name).with_extension("wasm")).unwrap().len();
        assert!(size <= limit, "{name}.wasm has {size} bytes, and may have {limit}");
    }
}
