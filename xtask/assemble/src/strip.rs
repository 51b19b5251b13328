//! Makes finished components smaller and changes nothing that they do.
//!
//! Names of functions and types go: they are for whoever reads a trap, and weigh as much as a tenth of the code.
//! Numbers that the linker padded to five bytes, because it knew them last, become as short as they are:
//! another eighth.
//!
//! The compiler's own stripping does not do: cargo forgets it for a package that has settings of its own,
//! and composing adds names of its own. What a panic says (words, file, line) is data and stays.

use crate::sections::{Section, rewritten};
use anyhow::Result;
use wasm_encoder::reencode::{Reencode, RoundtripReencoder};
use wasmparser::{BinaryReader, Parser};

/// Custom sections that nothing but a reader of traps, a debugger or a linker looks at.
const FOR_READERS: [&str; 3] = ["name", "component-name", "target_features"];
const FOR_DEBUGGERS: &str = ".debug_";

/// A component or module without them, at every depth.
pub fn stripped(binary: &[u8]) -> Result<Vec<u8>> {
    rewritten(binary, |section| {
        Ok(match section {
            Section::Custom(data) if is_for_readers(data)? => None,
            Section::Module(data) => Some(shortened(&stripped(data)?)?.into()),
            Section::Component(data) => Some(stripped(data)?.into()),
            Section::Custom(data) | Section::Other(data) => Some(data.into()),
        })
    })
}

/// A core module with every number as short as it can be.
fn shortened(module: &[u8]) -> Result<Vec<u8>> {
    let mut short = wasm_encoder::Module::new();
    RoundtripReencoder.parse_core_module(&mut short, Parser::new(0), module)?;
    Ok(short.finish())
}

fn is_for_readers(custom: &[u8]) -> Result<bool> {
    let name = BinaryReader::new(custom, 0).read_string()?;
    Ok(FOR_READERS.contains(&name) || name.starts_with(FOR_DEBUGGERS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sections::MODULE;
    use wasm_encoder::{
        Component, CustomSection, MemorySection, MemoryType, Module, ModuleSection,
        NestedComponentSection, RawSection, Section as _,
    };

    fn custom(name: &str) -> CustomSection<'_> {
        CustomSection { name: name.into(), data: b"what it holds"[..].into() }
    }

    fn module(customs: &[&str]) -> Module {
        let mut module = Module::new();
        let mut memories = MemorySection::new();
        let memory = MemoryType {
            minimum: 1,
            maximum: None,
            memory64: false,
            shared: false,
            page_size_log2: None,
        };
        memories.memory(memory);
        module.section(&memories);
        customs.iter().for_each(|name| {
            module.section(&custom(name));
        });
        module
    }

    fn component(of_module: &[&str], of_component: &[&str], of_outer: &[&str]) -> Vec<u8> {
        let mut inner = Component::new();
        inner.section(&ModuleSection(&module(of_module)));
        of_component.iter().for_each(|name| {
            inner.section(&custom(name));
        });
        let mut outer = Component::new();
        outer.section(&NestedComponentSection(&inner));
        of_outer.iter().for_each(|name| {
            outer.section(&custom(name));
        });
        outer.finish()
    }

    #[test]
    fn names_go_at_every_depth_and_all_else_stays() {
        let with = component(
            &["producers", "name", ".debug_info", "target_features"],
            &["component-name"],
            &["component-name", "registry-metadata"],
        );
        let without = component(&["producers"], &[], &["registry-metadata"]);
        assert_eq!(stripped(&with).unwrap(), without);
        assert_eq!(stripped(&without).unwrap(), without);
    }

    fn around(types: &[u8]) -> Vec<u8> {
        let mut module = Module::HEADER.to_vec();
        RawSection { id: 1, data: types }.append_to(&mut module);
        let mut component = Component::new();
        component.section(&RawSection { id: MODULE, data: &module });
        component.finish()
    }

    #[test]
    fn padded_numbers_become_short() {
        // One type, `() -> ()`; that it is one is written in five bytes.
        let padded = around(&[0x81, 0x80, 0x80, 0x80, 0, 0x60, 0, 0]);
        assert_eq!(stripped(&padded).unwrap(), around(&[1, 0x60, 0, 0]));
    }

    #[test]
    fn what_is_cut_off_is_refused() {
        let whole = component(&["name"], &[], &[]);
        assert!(stripped(&whole[..4]).is_err());
        assert!(stripped(&whole[..whole.len() - 1]).is_err());
    }
}
