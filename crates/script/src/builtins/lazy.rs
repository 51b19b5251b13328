//! Globals that are built only for a program that names them: most use none, and building them all
//! takes half as long as building the rest of the realm.
//!
//! Border: a name counts where the source has it, in a string too. A program that puts the name
//! together (`globalThis["In" + "tl"]`) finds nothing.

use boa_engine::{Context, JsResult};

use super::{intl, text, web};

/// What is built together: what all its names have in them, and what builds it.
type Group = (&'static str, fn(&mut Context) -> JsResult<()>);

const GROUPS: [Group; 4] = [
    ("Intl", intl::install),
    ("URL", web::install),
    ("TextEncoder", text::install_encoder),
    ("TextDecoder", text::install_decoder),
];

/// Builds what the source names.
pub(crate) fn prepare(source: &str, context: &mut Context) -> JsResult<()> {
    let mut named = GROUPS.into_iter().filter(|(name, _)| source.contains(name));
    named.try_for_each(|(_, install)| install(context))
}
