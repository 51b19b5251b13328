//! Runs what a module has for its build to run, and puts the memory that this leaves into the module:
//! each instance then starts with the work done.
//!
//! Border: before metering. Nothing of the build's machine gets into the result, neither time nor
//! chance: the function must call no import. It may ask for the time of day, as hash tables do for a
//! seed, and is told 1970.

use super::names;
use anyhow::{Context, Result, bail, ensure};
use std::ops::Range;
use wasm_encoder::reencode::{Reencode, RoundtripReencoder};
use wasm_encoder::{
    ConstExpr, DataCountSection, DataSection, ExportSection, MemorySection, Module, RawSection,
};
use wasmparser::{DataKind, DataSectionReader, Parser, Payload};

/// Bytes of a page of linear memory.
const PAGE: usize = 65_536;

/// The memory is put into the module in blocks of so many bytes, but for those of nothing but zeros.
const BLOCK: usize = 64;

/// The module as it is after [`names::PREPARE`] has run.
pub fn prepared(module: &[u8]) -> Result<Vec<u8>> {
    let memory = run(module)?;
    let stretches = stretches(&memory);
    let mut out = Module::new();
    let mut same = RoundtripReencoder;
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload?;
        match payload {
            Payload::MemorySection(memories) => {
                let mut section = MemorySection::new();
                for kind in memories {
                    let mut kind = same.memory_type(kind?)?;
                    kind.minimum = u64::try_from(memory.len() / PAGE)?;
                    section.memory(kind);
                }
                out.section(&section);
            }
            Payload::GlobalSection(ref globals) => {
                let globals = globals.clone().into_iter().collect::<Result<Vec<_>, _>>()?;
                // The stack's pointer, which a call leaves as it was.
                let mutable = globals.iter().filter(|global| global.ty.mutable).count();
                ensure!(mutable <= 1, "the module has globals whose values would be lost");
                raw(&mut out, module, &payload)?;
            }
            Payload::ExportSection(exports) => {
                let mut section = ExportSection::new();
                for export in exports {
                    let export = export?;
                    if export.name != names::PREPARE {
                        same.parse_export(&mut section, export)?;
                    }
                }
                out.section(&section);
            }
            Payload::StartSection { .. } => bail!("the module has a start function"),
            Payload::DataCountSection { .. } => {
                let count = u32::try_from(stretches.len())?;
                out.section(&DataCountSection { count });
            }
            Payload::DataSection(data) => out_of(&mut out, data, &memory, &stretches)?,
            payload => raw(&mut out, module, &payload)?,
        }
    }
    Ok(out.finish())
}

/// Runs the function; gives all of the memory.
fn run(module: &[u8]) -> Result<Vec<u8>> {
    let engine = wasmi::Engine::default();
    let module = wasmi::Module::new(&engine, module)?;
    let mut store = wasmi::Store::new(&engine, ());
    let mut linker = wasmi::Linker::<()>::new(&engine);
    for import in module.imports() {
        let wasmi::ExternType::Func(kind) = import.ty() else { continue };
        if import.module().starts_with("wasi:clocks/wall-clock@0.2") && import.name() == "now" {
            linker.func_new(import.module(), "now", kind.clone(), |caller, parameters, _| {
                begin_of_time(caller, parameters)
            })?;
            continue;
        }
        let name = format!("{} {}", import.module(), import.name());
        linker.func_new(import.module(), import.name(), kind.clone(), move |_, _, _| {
            Err(wasmi::Error::new(format!("`{name}` was called, which only an instance may")))
        })?;
    }
    let instance = linker.instantiate_and_start(&mut store, &module)?;
    let prepare = instance.get_typed_func::<(), ()>(&store, names::PREPARE);
    let prepare = prepare.with_context(|| format!("there is no `{}`", names::PREPARE))?;
    prepare.call(&mut store, ()).with_context(|| format!("`{}` failed", names::PREPARE))?;
    let memory = instance.get_memory(&store, "memory").context("the module has no memory")?;
    Ok(memory.data(&store).to_vec())
}

/// Answers a `datetime` (seconds as eight bytes, nanoseconds as four) at the address that is given.
fn begin_of_time(
    mut caller: wasmi::Caller<'_, ()>,
    parameters: &[wasmi::Val],
) -> Result<(), wasmi::Error> {
    let memory = caller.get_export("memory").and_then(wasmi::Extern::into_memory);
    let address = parameters.first().and_then(wasmi::Val::i32).map(i32::cast_unsigned);
    let (Some(memory), Some(Ok(address))) = (memory, address.map(usize::try_from)) else {
        return Err(wasmi::Error::new("the time cannot be told"));
    };
    Ok(memory.write(&mut caller, address, &[0; 12])?)
}

/// Where the memory is not zero.
fn stretches(memory: &[u8]) -> Vec<Range<usize>> {
    let mut stretches: Vec<Range<usize>> = Vec::new();
    for (index, block) in memory.chunks(BLOCK).enumerate() {
        if block.iter().all(|byte| *byte == 0) {
            continue;
        }
        let start = index * BLOCK;
        match stretches.last_mut() {
            Some(last) if last.end == start => last.end = start + block.len(),
            _ => stretches.push(start..start + block.len()),
        }
    }
    stretches
}

/// The memory in the place of what the module began with.
fn out_of(
    out: &mut Module,
    data: DataSectionReader<'_>,
    memory: &[u8],
    stretches: &[Range<usize>],
) -> Result<()> {
    for segment in data {
        let active = matches!(segment?.kind, DataKind::Active { memory_index: 0, .. });
        ensure!(active, "the module has data that it would miss");
    }
    let mut section = DataSection::new();
    for stretch in stretches {
        let bytes = memory.get(stretch.clone()).context("a stretch lies outside")?;
        // Addresses are unsigned.
        let start = u32::try_from(stretch.start)?.cast_signed();
        section.active(0, &ConstExpr::i32_const(start), bytes.iter().copied());
    }
    out.section(&section);
    Ok(())
}

/// A section as it stands.
fn raw(out: &mut Module, module: &[u8], payload: &Payload<'_>) -> Result<()> {
    if let Some((id, range)) = payload.as_section() {
        let range = usize::try_from(range.start)?..usize::try_from(range.end)?;
        let data = module.get(range).context("a section lies outside")?;
        out.section(&RawSection { id, data });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::{
        CodeSection, EntityType, ExportKind, Function, FunctionSection, GlobalSection, GlobalType,
        ImportSection, MemoryType, TypeSection, ValType,
    };

    /// Where `meter_prepare` of [`module`] counts; beyond the memory that the module begins with.
    const PLACE: i32 = 100_000;

    const NOTHING: Option<u32> = None;
    const HOST: Option<u32> = Some(0);
    const TIME: Option<u32> = Some(1);

    /// Its preparation takes another page, adds one to what lies at [`PLACE`], and asks.
    fn module(asks: Option<u32>, globals: usize) -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([], []);
        types.ty().function([ValType::I32], []);
        let mut imports = ImportSection::new();
        imports.import("host", "ask", EntityType::Function(1));
        imports.import("wasi:clocks/wall-clock@0.2.6", "now", EntityType::Function(1));
        let mut functions = FunctionSection::new();
        functions.function(0);
        let mut memories = MemorySection::new();
        memories.memory(MemoryType {
            minimum: 1,
            maximum: None,
            memory64: false,
            shared: false,
            page_size_log2: None,
        });
        let mut pointers = GlobalSection::new();
        for _ in 0..globals {
            let kind = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
            pointers.global(kind, &ConstExpr::i32_const(16));
        }
        let mut exports = ExportSection::new();
        exports.export(names::PREPARE, ExportKind::Func, 2);
        exports.export("memory", ExportKind::Memory, 0);
        let at = wasm_encoder::MemArg { offset: 0, align: 0, memory_index: 0 };
        let mut function = Function::new([]);
        function.instructions().i32_const(1).memory_grow(0).drop();
        function.instructions().i32_const(PLACE).i32_const(PLACE).i32_load8_u(at);
        function.instructions().i32_const(1).i32_add().i32_store8(at);
        if let Some(import) = asks {
            function.instructions().i32_const(PLACE).call(import);
        }
        function.instructions().end();
        let mut code = CodeSection::new();
        code.function(&function);
        let mut data = DataSection::new();
        data.active(0, &ConstExpr::i32_const(7), *b"seven");
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions).section(&memories);
        module.section(&pointers).section(&exports).section(&code).section(&data);
        module.finish()
    }

    #[test]
    fn an_instance_starts_with_what_was_prepared_and_cannot_prepare_again() {
        let module = prepared(&module(NOTHING, 1)).unwrap();
        let engine = wasmtime::Engine::default();
        let module = wasmtime::Module::new(&engine, &module).unwrap();
        assert!(module.get_export(names::PREPARE).is_none());
        let mut store = wasmtime::Store::new(&engine, ());
        let ask = wasmtime::Func::wrap(&mut store, |_: i32| ());
        let asks = [ask.into(), ask.into()];
        let instance = wasmtime::Instance::new(&mut store, &module, &asks).unwrap();
        let memory = instance.get_memory(&mut store, "memory").unwrap();
        let memory = memory.data(&store);
        assert_eq!(memory.len(), 2 * PAGE);
        assert_eq!(memory[7..12], *b"seven");
        assert_eq!(memory[usize::try_from(PLACE).unwrap()], 1);
    }

    #[test]
    fn nothing_of_the_build_gets_in() {
        let error = format!("{:#}", prepared(&module(HOST, 1)).unwrap_err());
        assert!(error.contains("`host ask` was called"), "{error}");
    }

    #[test]
    fn whoever_asks_for_the_time_is_told_its_begin() {
        let memory = run(&module(TIME, 1)).unwrap();
        assert_eq!(memory[usize::try_from(PLACE).unwrap()], 0);
        let memory = run(&module(NOTHING, 1)).unwrap();
        assert_eq!(memory[usize::try_from(PLACE).unwrap()], 1);
    }

    #[test]
    fn values_that_would_be_lost_are_refused() {
        let error = prepared(&module(NOTHING, 2)).unwrap_err().to_string();
        assert!(error.contains("would be lost"), "{error}");
    }

    #[test]
    fn blocks_of_zeros_are_left_out() {
        let mut memory = vec![0; PAGE];
        assert_eq!(stretches(&memory), []);
        memory[BLOCK - 1] = 1;
        memory[BLOCK] = 1;
        memory[PAGE - 1] = 1;
        assert_eq!(stretches(&memory), [0..2 * BLOCK, PAGE - BLOCK..PAGE]);
    }
}
