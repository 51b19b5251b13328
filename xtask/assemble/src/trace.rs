//! Makes components note which of their functions are called, and in which order first: for `cargo xtask order`.
//!
//! Each core module gets a second memory, which whoever can read the host's process finds by how it begins; numbers are
//! little-endian words: [`MAGIC`], the number of the module's first function among all that were traced, how many it
//! has, how many were called so far, and then, for each function, which one it was to be called, from 1; 0: it was not.

use crate::order::{Known, plain};
use crate::sections::with_modules;
use anyhow::{Context, Result};
use std::convert::Infallible;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, DataSection, MemArg, MemorySection, MemoryType, Module,
};
use wasmparser::{DataSectionReader, FunctionBody, MemorySectionReader, Parser};
use xtask::components::replace;

/// How notes begin.
pub const MAGIC: [u8; 4] = *b"QRYT";
/// Where it is counted how many were called.
const COUNT: i32 = 12;
/// Where the first function's note is.
const NOTES: u32 = 16;
/// Bytes of a page of linear memory.
const PAGE: u64 = 65_536;

/// A function that notes its first call.
#[derive(Debug, PartialEq, Eq)]
pub struct Function {
    /// Of its code, in bytes.
    pub size: u64,
    /// As [`plain`] gives it; empty where it has none.
    pub name: String,
}

/// Writes these components into a folder, traced, and beside them `functions.txt`: a line for each function that was
/// traced, with its size and its name.
///
/// # Errors
/// Where a component cannot be read or a file not be written.
pub fn write(components: &[PathBuf], folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let mut functions = Vec::new();
    for file in components {
        let component =
            fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        let name = file.file_name().context("a component has no name")?;
        replace(
            &folder.join(name),
            &with_modules(&component, &mut |module| traced(module, &mut functions))?,
        )?;
    }
    let mut lines = String::new();
    for Function { size, name } in functions {
        writeln!(lines, "{size} {name}")?;
    }
    replace(&folder.join("functions.txt"), lines.as_bytes())
}

/// A core module that notes, where it has code and memory of its own; its functions come behind those that are there.
///
/// # Errors
/// Where the module cannot be read.
pub fn traced(module: &[u8], functions: &mut Vec<Function>) -> Result<Vec<u8>> {
    let known = Known::of(module)?;
    if !known.has_memory || known.bodies.is_empty() {
        return Ok(module.to_vec());
    }
    let mut trace = Trace {
        first: u32::try_from(functions.len())?,
        count: u32::try_from(known.bodies.len())?,
        memory: known.memories,
        next: NOTES,
    };
    functions.extend(known.bodies.iter().enumerate().map(|(body, size)| {
        let name = known.name(body).map(plain).unwrap_or_default().to_owned();
        Function { size: *size, name }
    }));
    let mut out = Module::new();
    trace.parse_core_module(&mut out, Parser::new(0), module)?;
    Ok(out.finish())
}

struct Trace {
    first: u32,
    count: u32,
    /// The number of the added memory.
    memory: u32,
    /// Where the next function's note is.
    next: u32,
}

type Encoded<T> = Result<T, Error<Infallible>>;

impl Reencode for Trace {
    type Error = Infallible;

    fn parse_memory_section(
        &mut self,
        out: &mut MemorySection,
        memories: MemorySectionReader<'_>,
    ) -> Encoded<()> {
        utils::parse_memory_section(self, out, memories)?;
        let pages = (u64::from(NOTES) + 4 * u64::from(self.count)).div_ceil(PAGE);
        out.memory(MemoryType {
            minimum: pages,
            maximum: Some(pages),
            memory64: false,
            shared: false,
            page_size_log2: None,
        });
        Ok(())
    }

    fn data_count(&mut self, count: u32) -> Encoded<u32> {
        Ok(count + 1)
    }

    fn parse_data_section(
        &mut self,
        out: &mut DataSection,
        data: DataSectionReader<'_>,
    ) -> Encoded<()> {
        utils::parse_data_section(self, out, data)?;
        let head = [MAGIC, self.first.to_le_bytes(), self.count.to_le_bytes()].concat();
        out.active(self.memory, &ConstExpr::i32_const(0), head);
        Ok(())
    }

    fn parse_function_body(
        &mut self,
        out: &mut CodeSection,
        body: FunctionBody<'_>,
    ) -> Encoded<()> {
        let mut function = self.new_function_with_parsed_locals(&body)?;
        let note = self.next.cast_signed();
        self.next += 4;
        let word = MemArg { offset: 0, align: 2, memory_index: self.memory };
        let mut code = function.instructions();
        code.i32_const(note).i32_load(word).i32_eqz().if_(BlockType::Empty);
        code.i32_const(COUNT).i32_const(COUNT).i32_load(word).i32_const(1).i32_add();
        code.i32_store(word);
        code.i32_const(note).i32_const(COUNT).i32_load(word).i32_store(word).end();
        let mut operators = body.get_operators_reader()?;
        while !operators.eof() {
            function.instruction(&self.parse_instruction(&mut operators)?);
        }
        out.function(&function);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::tests::{instance, module};

    #[test]
    fn first_calls_are_noted_in_their_order() {
        let before = || Function { size: 9, name: "before".to_owned() };
        let mut functions = vec![before()];
        let traced = traced(&module().finish(), &mut functions).unwrap();
        let names: Vec<&str> = functions.iter().map(|function| function.name.as_str()).collect();
        assert_eq!(names, ["before", "_ZN4cold", "_ZN4warm", "hot", ""]);
        let (mut store, instance) = instance(&traced);
        let run = instance.get_typed_func::<(), i32>(&store, "run").unwrap();
        let look = instance.get_typed_func::<i32, i32>(&store, "look").unwrap();
        assert_eq!(run.call(&mut store, ()).unwrap(), 31);
        assert_eq!(run.call(&mut store, ()).unwrap(), 31);
        let mut word = |at| look.call(&mut store, at).unwrap();
        assert_eq!(word(0).to_le_bytes(), MAGIC);
        // The fourth is `look` itself.
        assert_eq!([4, 8, 12].map(&mut word), [1, 4, 4]);
        assert_eq!([16, 20, 24].map(word), [3, 1, 2]);
    }
}
