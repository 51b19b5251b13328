//! What a built component imports and exports: what it can do at all.

use std::path::Path;

use anyhow::Result;

use crate::engine;

/// The names, with versions, on a component's border.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComponentInterface {
    /// What the component asks for, sorted.
    pub imports: Vec<String>,
    /// What the component offers, sorted.
    pub exports: Vec<String>,
}

/// Reads a built component. `cache_dir` is the cache that hosts use too, so that the component
/// is compiled once.
pub fn inspect(component: &Path, cache_dir: &Path) -> Result<ComponentInterface> {
    let engine = engine::for_inspection(cache_dir)?;
    let compiled = engine::compile(&engine, component)?;
    let ty = compiled.component_type();
    let mut imports: Vec<String> = ty.imports(&engine).map(|(name, _)| name.to_owned()).collect();
    let mut exports: Vec<String> = ty.exports(&engine).map(|(name, _)| name.to_owned()).collect();
    imports.sort();
    exports.sort();
    Ok(ComponentInterface { imports, exports })
}
