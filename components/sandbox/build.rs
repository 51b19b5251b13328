//! Sizes the component's stack.
//!
//! The engine's parser and the built-ins that call back into a program nest deeply on it; with the
//! linker's 1 MiB, a hundred nested brackets would end in a crash.

fn main() {
    if std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32") {
        println!("cargo::rustc-link-arg-cdylib=-zstack-size=8388608");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
