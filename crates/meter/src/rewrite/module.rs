//! One core module: adds two globals, an exception and a few functions, and rewrites every body.

use super::body::{self, Meter};
use super::names;
use anyhow::{Context, Result, bail, ensure};
use wasm_encoder::reencode::{Reencode, RoundtripReencoder};
use wasm_encoder::{
    CodeSection, ConstExpr, ExportSection, FunctionSection, GlobalSection, GlobalType, Module,
    TagKind, TagSection, TagType, TypeSection, ValType,
};
use wasmparser::{
    CompositeInnerType, ExportSectionReader, ExternalKind, FuncType, FunctionSectionReader,
    GlobalSectionReader, Parser, Payload, TypeRef, TypeSectionReader,
};

/// How much native stack a program may use, in the bytes that `body::cost` estimates. wasmtime
/// gives a guest 512 KiB; what is left is for the code that stops the program, and for leaves.
const STACK: i32 = 440 * 1024;

/// Fuel before anybody has asked for more: the component sets its own pace at the first question.
const FUEL: i32 = 10_000;

/// What is known of a module before it is rewritten.
struct Known {
    /// The type of each function, imported ones first.
    functions: Vec<FuncType>,
    /// How many of them are imported.
    imported: u32,
    types: Vec<FuncType>,
    globals: u32,
    /// By `names::ALL`'s order.
    hooks: [u32; 4],
}

impl Known {
    /// Where what is added stands: behind what is there.
    fn meter(&self) -> Result<Meter<'_>> {
        let count = u32::try_from(self.functions.len())?;
        let types = u32::try_from(self.types.len())?;
        Ok(Meter {
            functions: &self.functions,
            types: &self.types,
            fuel: self.globals,
            stack: self.globals + 1,
            // wasm-ld puts the stack pointer first.
            pointer: 0,
            tag: 0,
            burn: count,
            overflow: count + 1,
            copy: count + 2,
            fill: count + 3,
            call_type: types + 2,
        })
    }
}

/// The module, metered.
pub fn metered(module: &[u8]) -> Result<Vec<u8>> {
    let known = survey(module)?;
    let [out_of_fuel, out_of_stack, catch, throw] = known.hooks;
    let types = u32::try_from(known.types.len())?;
    let meter = known.meter()?;
    let mut out = Module::new();
    let mut same = RoundtripReencoder;
    let mut code = CodeSection::new();
    let mut next = known.imported;
    let mut remaining = 0;
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::TypeSection(given) => {
                out.section(&types_with_ours(&mut same, given)?);
            }
            Payload::FunctionSection(given) => {
                out.section(&functions_with_ours(&mut same, given, types)?);
            }
            Payload::GlobalSection(given) => {
                let mut tags = TagSection::new();
                tags.tag(TagType { kind: TagKind::Exception, func_type_idx: types });
                out.section(&tags);
                out.section(&globals_with_ours(&mut same, given)?);
            }
            Payload::ExportSection(given) => {
                out.section(&exports_without_hooks(&mut same, given)?);
            }
            Payload::CodeSectionStart { count, .. } => remaining = count,
            Payload::CodeSectionEntry(function) => {
                let kind = known.functions.get(next as usize).context("a body too many")?;
                if next == catch {
                    code.function(&body::catch(&meter));
                } else if next == throw {
                    code.function(&body::throw(&meter));
                } else {
                    code.function(&body::metered(&function, kind, &meter)?);
                }
                next += 1;
                remaining -= 1;
                if remaining == 0 {
                    code.function(&body::burn(&meter, out_of_fuel));
                    code.function(&body::overflow(&meter, out_of_stack));
                    code.function(&body::bulk(&meter, body::Bulk::Copy));
                    code.function(&body::bulk(&meter, body::Bulk::Fill));
                    out.section(&code);
                }
            }
            Payload::CustomSection(section) => same.parse_custom_section(&mut out, section)?,
            payload => pass(&mut out, &mut same, payload)?,
        }
    }
    Ok(out.finish())
}

/// Behind those that are there, in the order of `Meter`'s functions: nothing, a block's three numbers, a call.
fn types_with_ours(
    same: &mut RoundtripReencoder,
    given: TypeSectionReader<'_>,
) -> Result<TypeSection> {
    let mut section = TypeSection::new();
    same.parse_type_section(&mut section, given)?;
    section.ty().function([], []);
    section.ty().function([ValType::I32; 3], []);
    section.ty().function([ValType::I32], []);
    Ok(section)
}

/// Behind those that are there; the first of our types has this number.
fn functions_with_ours(
    same: &mut RoundtripReencoder,
    given: FunctionSectionReader<'_>,
    types: u32,
) -> Result<FunctionSection> {
    let mut section = FunctionSection::new();
    same.parse_function_section(&mut section, given)?;
    for kind in [0, 0, 1, 1] {
        section.function(types + kind);
    }
    Ok(section)
}

fn globals_with_ours(
    same: &mut RoundtripReencoder,
    given: GlobalSectionReader<'_>,
) -> Result<GlobalSection> {
    let mut section = GlobalSection::new();
    same.parse_global_section(&mut section, given)?;
    for start in [FUEL, STACK] {
        let kind = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
        section.global(kind, &ConstExpr::i32_const(start));
    }
    Ok(section)
}

fn exports_without_hooks(
    same: &mut RoundtripReencoder,
    given: ExportSectionReader<'_>,
) -> Result<ExportSection> {
    let mut section = ExportSection::new();
    for export in given {
        let export = export?;
        if !names::ALL.contains(&export.name) {
            same.parse_export(&mut section, export)?;
        }
    }
    Ok(section)
}

/// Sections that stay as they are.
fn pass(out: &mut Module, same: &mut RoundtripReencoder, payload: Payload<'_>) -> Result<()> {
    match payload {
        Payload::Version { .. } | Payload::End(_) => {}
        Payload::ImportSection(imports) => {
            let mut section = wasm_encoder::ImportSection::new();
            same.parse_import_section(&mut section, imports)?;
            out.section(&section);
        }
        Payload::TableSection(tables) => {
            let mut section = wasm_encoder::TableSection::new();
            same.parse_table_section(&mut section, tables)?;
            out.section(&section);
        }
        Payload::MemorySection(memories) => {
            let mut section = wasm_encoder::MemorySection::new();
            same.parse_memory_section(&mut section, memories)?;
            out.section(&section);
        }
        Payload::ElementSection(elements) => {
            let mut section = wasm_encoder::ElementSection::new();
            same.parse_element_section(&mut section, elements)?;
            out.section(&section);
        }
        Payload::DataCountSection { count, .. } => {
            out.section(&wasm_encoder::DataCountSection { count });
        }
        Payload::DataSection(data) => {
            let mut section = wasm_encoder::DataSection::new();
            same.parse_data_section(&mut section, data)?;
            out.section(&section);
        }
        other => bail!("the module has a section that is not expected here: {other:?}"),
    }
    Ok(())
}

/// Counts, types, and where the hooks are.
fn survey(module: &[u8]) -> Result<Known> {
    let mut types = Vec::new();
    let mut functions = Vec::new();
    let (mut imported, mut globals) = (0, 0);
    let mut hooks = [None; 4];
    for payload in Parser::new(0).parse_all(module) {
        match payload? {
            Payload::TypeSection(groups) => {
                for group in groups {
                    for kind in group?.into_types() {
                        match kind.composite_type.inner {
                            CompositeInnerType::Func(function) => types.push(function),
                            other => bail!("the module has a type of another kind: {other:?}"),
                        }
                    }
                }
            }
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    match import?.ty {
                        TypeRef::Func(kind) => {
                            functions.push(kind);
                            imported += 1;
                        }
                        other => bail!("the module imports something else: {other:?}"),
                    }
                }
            }
            Payload::FunctionSection(kinds) => {
                for kind in kinds {
                    functions.push(kind?);
                }
            }
            Payload::GlobalSection(section) => globals = section.count(),
            Payload::TagSection(_) => bail!("the module has exceptions of its own"),
            Payload::ExportSection(exports) => {
                for export in exports {
                    let export = export?;
                    for (hook, name) in hooks.iter_mut().zip(names::ALL) {
                        if export.kind == ExternalKind::Func && export.name == name {
                            *hook = Some(export.index);
                        }
                    }
                }
            }
            _ => {}
        }
    }
    ensure!(globals > 0, "the module has no stack pointer");
    let mut found = [0; 4];
    for ((place, hook), name) in found.iter_mut().zip(hooks).zip(names::ALL) {
        *place = hook.with_context(|| format!("the module exports no function `{name}`"))?;
    }
    let kind = |index: &u32| types.get(*index as usize).cloned().context("a type is missing");
    Ok(Known {
        functions: functions.iter().map(kind).collect::<Result<_>>()?,
        imported,
        types,
        globals,
        hooks: found,
    })
}
