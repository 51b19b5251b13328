//! Makes a built component ready to run what nobody has to trust. It becomes stoppable anywhere: every
//! loop burns fuel, every call takes from a stack allowance, and when either runs out the component's
//! own code is asked; it may stop the work by an exception that unwinds to where the work began. And
//! its instances start with what can be made before anybody calls.
//!
//! Why: the JavaScript engine runs native code (sorting, regular expressions, its parser) that
//! looks at no clock, and Spin neither interrupts a guest nor survives an exhausted stack with
//! more than an error for the caller.
//!
//! Border: it knows the binary format, and the names below, which the component exports
//! (`components/sandbox/src/meter.rs`) and which are gone from the result. It changes nothing that the
//! component does otherwise. As a by-product the numbers that the linker padded become short.

mod body;
mod module;
mod prepare;
#[cfg(test)]
mod tests;

use anyhow::{Context, Result, ensure};
use wasm_encoder::{Component, RawSection};
use wasmparser::{BinaryReader, Parser, Payload};

/// What the component's core module exports for us.
pub mod names {
    /// `() -> i32`: fuel is out; says how much there is from now on, or throws.
    pub const OUT_OF_FUEL: &str = "meter_out_of_fuel";
    /// `() -> !`: the stack allowance is used up; throws.
    pub const OUT_OF_STACK: &str = "meter_out_of_stack";
    /// `(function, argument) -> i32`: calls the function, says 1 when it was thrown out of it. The
    /// body is replaced.
    pub const CATCH: &str = "meter_catch";
    /// `() -> !`: throws. The body is replaced.
    pub const THROW: &str = "meter_throw";
    /// `()`: makes what every instance starts with; the build calls it, once. It can reach nothing.
    pub const PREPARE: &str = "meter_prepare";
    /// What metering asks for.
    pub const ALL: [&str; 4] = [OUT_OF_FUEL, OUT_OF_STACK, CATCH, THROW];
}

/// The header of a component in the binary format: magic, version, layer.
const HEADER: [u8; 8] = *b"\0asm\x0d\0\x01\0";
/// The section that holds a core module.
const MODULE: u8 = 1;

/// The component with its main module prepared and metered.
pub fn metered(component: &[u8]) -> Result<Vec<u8>> {
    ensure!(component.starts_with(&HEADER), "this is no WebAssembly component");
    let mut out = Component::new();
    let mut reader = BinaryReader::new(component, 0);
    reader.read_bytes(HEADER.len())?;
    let mut found = false;
    while !reader.eof() {
        let id = reader.read_u8()?;
        let size = reader.read_var_u32()? as usize;
        let data = reader.read_bytes(size)?;
        if id == MODULE && is_metered(data)? {
            ensure!(!found, "two modules ask to be metered");
            found = true;
            let data = prepare::prepared(data).context("cannot prepare the module")?;
            let data = module::metered(&data).context("cannot meter the module")?;
            out.section(&RawSection { id, data: &data });
        } else {
            out.section(&RawSection { id, data });
        }
    }
    ensure!(found, "the component exports none of {}", names::ALL.join(", "));
    Ok(out.finish())
}

/// Whether a core module asks for it.
fn is_metered(module: &[u8]) -> Result<bool> {
    for payload in Parser::new(0).parse_all(module) {
        if let Payload::ExportSection(exports) = payload? {
            for export in exports {
                if names::ALL.contains(&export?.name) {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}
