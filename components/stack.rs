// Sets the size of the shadow stack: a build script for several components.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../stack.rs");
    // Where little is optimised, each frame is several times as large: there the default, 1 MiB, is wanted.
    if std::env::var("OPT_LEVEL").is_ok_and(|level| matches!(level.as_str(), "0" | "1")) {
        return;
    }
    // Elsewhere all of it would be resident in every pooled instance as soon as a host has zeroed it. Nothing recurses
    // deeper than serde_json's 128 levels.
    println!("cargo::rustc-link-arg-cdylib=-zstack-size=131072");
}
