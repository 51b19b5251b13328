//! Puts the functions that an ask runs beside each other, first in their module, in the order of their first calls: it
//! runs each once or twice, and where they lie among many others it waits for their code to be brought. Changes nothing
//! that a component does.
//!
//! Border: which functions these are is read from a list of names (`components/order.txt`, made by `cargo xtask order`).
//! A name that no function has is passed over, so a list that has become old costs speed and nothing else.

use crate::sections::with_modules;
use anyhow::Result;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::rc::Rc;
use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{CodeSection, FunctionSection, Module, NameMap, NameSection};
use wasmparser::{
    CodeSectionReader, CustomSectionReader, FunctionSectionReader, KnownCustom, Name, Parser,
    Payload, TypeRef,
};

/// Custom sections that speak of functions, or of places in them, in ways that are not followed here: for debuggers,
/// for linkers, for compilers that like hints.
const BY_PLACE: [&str; 4] = [".debug_", "reloc.", "linking", "metadata.code."];

/// Which functions come first: the place of each name.
pub struct First(HashMap<String, usize>);

impl First {
    /// A name a line, as [`plain`] gives it; lines that begin with `#` and empty ones are none.
    pub fn of(list: &str) -> First {
        let names = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        First(names.enumerate().map(|(place, name)| (name.to_owned(), place)).collect())
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.0.get(plain(name)).copied()
    }
}

/// The component with the functions of every core module in order. A module in which nothing has to move stays as it is
/// to the byte; of another the names follow, but for those of locals and labels, which no linker writes.
///
/// # Errors
/// Where the component cannot be read.
pub fn ordered(component: &[u8], first: &First) -> Result<Vec<u8>> {
    with_modules(component, &mut |module| match Order::of(module, first)? {
        None => Ok(module.to_vec()),
        Some(mut order) => {
            let mut out = Module::new();
            order.parse_core_module(&mut out, Parser::new(0), module)?;
            Ok(out.finish())
        }
    })
}

/// A function's name as the linker has it, without what another compilation may change: the number of a copy and the
/// hash, mangled or not. Functions that are made of the same code for several types then share their name.
pub fn plain(name: &str) -> &str {
    let mut name = name;
    while let Some((front, copy)) = name.rsplit_once('.')
        && !copy.is_empty()
        && copy.bytes().all(|byte| byte.is_ascii_digit())
    {
        name = front.strip_suffix(".llvm").unwrap_or(front);
    }
    let mangled = name.strip_suffix('E').and_then(|name| without_hash(name, "17h"));
    mangled.or_else(|| without_hash(name, "::h")).unwrap_or(name)
}

fn without_hash<'a>(name: &'a str, mark: &str) -> Option<&'a str> {
    let (front, hash) = name.rsplit_once(mark)?;
    (hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(front)
}

/// What is known of a core module's functions.
#[derive(Default)]
pub struct Known<'a> {
    /// How many are imported; those have the lowest numbers.
    pub imported: u32,
    /// The bytes of each body, in order.
    pub bodies: Vec<u64>,
    /// How many memories there are, imported ones among them.
    pub memories: u32,
    /// Whether one is its own.
    pub has_memory: bool,
    /// What the module's own section calls them, by number.
    names: BTreeMap<u32, &'a str>,
}

impl<'a> Known<'a> {
    /// Of this module.
    pub fn of(module: &'a [u8]) -> Result<Known<'a>> {
        let mut known = Known::default();
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        match import?.ty {
                            TypeRef::Func(_) | TypeRef::FuncExact(_) => known.imported += 1,
                            TypeRef::Memory(_) => known.memories += 1,
                            _ => {}
                        }
                    }
                }
                Payload::MemorySection(memories) => {
                    known.memories += memories.count();
                    known.has_memory = true;
                }
                Payload::CodeSectionEntry(body) => {
                    let range = body.range();
                    known.bodies.push(range.end - range.start);
                }
                Payload::CustomSection(section) => known.read_names(&section)?,
                _ => {}
            }
        }
        Ok(known)
    }

    fn read_names(&mut self, section: &CustomSectionReader<'a>) -> Result<()> {
        let KnownCustom::Name(names) = section.as_known() else { return Ok(()) };
        for names in names {
            if let Name::Function(names) = names? {
                for naming in names {
                    let naming = naming?;
                    self.names.insert(naming.index, naming.name);
                }
            }
        }
        Ok(())
    }

    /// The name of the function that has the body with this number, where it has one.
    pub fn name(&self, body: usize) -> Option<&'a str> {
        let number = self.imported.checked_add(u32::try_from(body).ok()?)?;
        self.names.get(&number).copied()
    }
}

/// The functions of a module in another order.
struct Order {
    imported: u32,
    /// The old numbers of bodies, as they will follow each other.
    bodies: Rc<[usize]>,
    /// The new number of each body, by its old one.
    moved: Vec<u32>,
}

impl Order {
    /// None where nothing has to move.
    fn of(module: &[u8], first: &First) -> Result<Option<Order>> {
        let known = Known::of(module)?;
        let mut bodies: Vec<usize> = (0..known.bodies.len()).collect();
        let place = |body: &usize| known.name(*body).and_then(|name| first.place(name));
        bodies.sort_by_cached_key(|body| place(body).unwrap_or(usize::MAX));
        if bodies.is_sorted() {
            return Ok(None);
        }
        let mut moved = vec![0; bodies.len()];
        for (new, old) in (0..).zip(&bodies) {
            if let Some(place) = moved.get_mut(*old) {
                *place = new;
            }
        }
        Ok(Some(Order { imported: known.imported, bodies: bodies.into(), moved }))
    }
}

/// The module speaks of a function that it does not have.
#[derive(Debug)]
struct Missing;

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the module speaks of a function that it does not have")
    }
}

impl std::error::Error for Missing {}

type Encoded<T> = Result<T, Error<Missing>>;

impl Reencode for Order {
    type Error = Missing;

    fn function_index(&mut self, function: u32) -> Encoded<u32> {
        let Some(body) = function.checked_sub(self.imported) else { return Ok(function) };
        let moved = usize::try_from(body).ok().and_then(|body| self.moved.get(body));
        Ok(self.imported + moved.ok_or(Error::UserError(Missing))?)
    }

    fn parse_function_section(
        &mut self,
        out: &mut FunctionSection,
        types: FunctionSectionReader<'_>,
    ) -> Encoded<()> {
        let types = types.into_iter().collect::<Result<Vec<_>, _>>()?;
        for body in &*Rc::clone(&self.bodies) {
            let kind = types.get(*body).ok_or(Error::UserError(Missing))?;
            out.function(self.type_index(*kind)?);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        out: &mut CodeSection,
        code: CodeSectionReader<'_>,
    ) -> Encoded<()> {
        let code = code.into_iter().collect::<Result<Vec<_>, _>>()?;
        for body in &*Rc::clone(&self.bodies) {
            let body = code.get(*body).ok_or(Error::UserError(Missing))?;
            self.parse_function_body(out, body.clone())?;
        }
        Ok(())
    }

    fn parse_custom_section(
        &mut self,
        out: &mut Module,
        section: CustomSectionReader<'_>,
    ) -> Encoded<()> {
        if BY_PLACE.iter().any(|start| section.name().starts_with(start)) {
            return Ok(());
        }
        utils::parse_custom_section(self, out, section)
    }

    /// Names stand in the order of numbers, so these are sorted anew.
    fn parse_custom_name_subsection(
        &mut self,
        out: &mut NameSection,
        names: Name<'_>,
    ) -> Encoded<()> {
        match names {
            Name::Function(names) => {
                let mut moved = BTreeMap::new();
                for naming in names {
                    let naming = naming?;
                    moved.insert(self.function_index(naming.index)?, naming.name);
                }
                let mut sorted = NameMap::new();
                moved.into_iter().for_each(|(function, name)| sorted.append(function, name));
                out.functions(&sorted);
                Ok(())
            }
            Name::Local(_) | Name::Label(_) => Ok(()),
            others => utils::parse_custom_name_subsection(self, out, others),
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use wasm_encoder::{
        Component, ConstExpr, DataSection, ElementSection, Elements, EntityType, ExportKind,
        ExportSection, Function, ImportSection, MemArg, MemorySection, MemoryType, ModuleSection,
        NestedComponentSection, RefType, TableSection, TableType, TypeSection, ValType,
    };

    const COLD: &str = "_ZN4cold17h0123456789abcdefE";
    const WARM: &str = "_ZN4warm17hfedcba9876543210E.llvm.77";
    const HOT: &str = "hot::h00112233aabbccdd";

    /// `run` is `warm`: ten times what `hot` gives and, by way of the table, what `cold` gives. `look` reads a second
    /// memory, which only a traced module has.
    pub fn module() -> Module {
        let mut types = TypeSection::new();
        types.ty().function([], [ValType::I32]);
        types.ty().function([ValType::I32], [ValType::I32]);
        let mut imports = ImportSection::new();
        imports.import("host", "tell", EntityType::Function(0));
        let mut functions = FunctionSection::new();
        functions.function(0).function(0).function(0).function(1);
        let mut tables = TableSection::new();
        let (table64, shared) = (false, false);
        let element_type = RefType::FUNCREF;
        tables.table(TableType { element_type, minimum: 1, maximum: None, table64, shared });
        let mut memories = MemorySection::new();
        let memory64 = false;
        let page_size_log2 = None;
        memories.memory(MemoryType { minimum: 1, maximum: None, memory64, shared, page_size_log2 });
        let mut exports = ExportSection::new();
        exports.export("run", ExportKind::Func, 2).export("look", ExportKind::Func, 4);
        let mut elements = ElementSection::new();
        elements.active(None, &ConstExpr::i32_const(0), Elements::Functions([1][..].into()));
        let (mut cold, mut warm, mut hot, mut look) =
            (Function::new([]), Function::new([]), Function::new([]), Function::new([]));
        cold.instructions().i32_const(1).end();
        warm.instructions().call(3).i32_const(10).i32_mul();
        warm.instructions().i32_const(0).call_indirect(0, 0).i32_add().end();
        hot.instructions().i32_const(3).end();
        let second = MemArg { offset: 0, align: 2, memory_index: 1 };
        look.instructions().local_get(0).i32_load(second).end();
        let mut code = CodeSection::new();
        code.function(&cold).function(&warm).function(&hot).function(&look);
        let mut data = DataSection::new();
        data.active(0, &ConstExpr::i32_const(0), *b"its own");
        let mut names = NameMap::new();
        for (function, name) in (0..).zip(["tell", COLD, WARM, HOT]) {
            names.append(function, name);
        }
        let mut named = NameSection::new();
        named.functions(&names);
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions).section(&tables);
        module.section(&memories).section(&exports).section(&elements).section(&code);
        module.section(&data).section(&named);
        module
    }

    /// A component in which it is twice, once in a component of its own.
    pub fn component() -> Vec<u8> {
        let (module, mut inner, mut outer) = (module(), Component::new(), Component::new());
        inner.section(&ModuleSection(&module));
        outer.section(&ModuleSection(&module)).section(&NestedComponentSection(&inner));
        outer.finish()
    }

    /// The core modules of a component.
    pub fn modules(component: &[u8]) -> Vec<Vec<u8>> {
        let mut modules = Vec::new();
        let note = &mut |module: &[u8]| {
            modules.push(module.to_vec());
            Ok(Vec::new())
        };
        with_modules(component, note).unwrap();
        modules
    }

    /// The module, ready to be called.
    pub fn instance(module: &[u8]) -> (wasmi::Store<()>, wasmi::Instance) {
        let engine = wasmi::Engine::default();
        let module = wasmi::Module::new(&engine, module).unwrap();
        let mut store = wasmi::Store::new(&engine, ());
        let mut linker = wasmi::Linker::<()>::new(&engine);
        linker.func_wrap("host", "tell", || 0_i32).unwrap();
        let instance = linker.instantiate_and_start(&mut store, &module).unwrap();
        (store, instance)
    }

    /// Without `look`, which is none without a second memory.
    fn run(module: &[u8]) -> i32 {
        let mut all = Vec::new();
        let traced = crate::trace::traced(module, &mut all).unwrap();
        let (mut store, instance) = instance(&traced);
        let run = instance.get_typed_func::<(), i32>(&store, "run").unwrap();
        run.call(&mut store, ()).unwrap()
    }

    fn names(module: &[u8]) -> Vec<(u32, &str)> {
        Known::of(module).unwrap().names.into_iter().collect()
    }

    #[test]
    fn functions_move_to_the_front_at_every_depth_and_do_what_they_did() {
        let first = First::of("# hot first\nhot\nnobody\n_ZN4warm\n");
        let ordered = modules(&ordered(&component(), &first).unwrap());
        assert_eq!(ordered.len(), 2);
        for module in ordered {
            assert_eq!(names(&module), [(0, "tell"), (1, HOT), (2, WARM), (3, COLD)]);
            let sizes = Known::of(&module).unwrap().bodies;
            assert_eq!(sizes.first(), sizes.get(2), "`hot` and `cold` are alike: {sizes:?}");
            assert_eq!(run(&module), 31);
        }
        assert_eq!(run(&module().finish()), 31);
    }

    #[test]
    fn what_has_not_to_move_stays_as_it_is() {
        let component = component();
        for list in ["", "nobody\n", "# _ZN4warm\n", "_ZN4cold\n_ZN4warm\nhot\n", "tell\n"] {
            assert_eq!(ordered(&component, &First::of(list)).unwrap(), component, "{list}");
        }
        assert!(ordered(&component[..component.len() - 1], &First::of("hot")).is_err());
    }

    #[test]
    fn names_are_known_again_after_another_compilation() {
        for (name, known) in [
            (COLD, "_ZN4cold"),
            (WARM, "_ZN4warm"),
            (HOT, "hot"),
            ("_ZN4cold17h0123456789abcdefE.12", "_ZN4cold"),
            (
                "_RNvNtCs9pv848UzQwQ_4core9panicking5panic.969",
                "_RNvNtCs9pv848UzQwQ_4core9panicking5panic",
            ),
            ("memcpy", "memcpy"),
            ("_ZN3a..b17h0123E", "_ZN3a..b17h0123E"),
            ("a::happy", "a::happy"),
        ] {
            assert_eq!(plain(name), known);
        }
    }
}
