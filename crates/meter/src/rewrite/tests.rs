//! A small module, metered and run: work that never ends is stopped, and the rest is not touched.

use super::{module, names};
use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, ElementSection, Elements, EntityType, ExportKind,
    ExportSection, Function, FunctionSection, GlobalSection, GlobalType, ImportSection,
    MemorySection, MemoryType, Module, RefType, TableSection, TableType, TypeSection, ValType,
};
use wasmtime::{Caller, Engine, Linker, Store};

/// Functions of the module in the order of its index space; the first is imported.
const ASK: u32 = 0;
const THROW: u32 = 4;
/// What `run` can be told to do, as indices into the table.
const ENDLESS: i32 = 0;
const DEEP: i32 = 1;
const COPYING: i32 = 2;
const FINE: i32 = 3;

/// `ask() -> i32` is the host's: fuel, or 0 to stop.
fn module() -> Vec<u8> {
    let mut types = TypeSection::new();
    types.ty().function([], [ValType::I32]);
    types.ty().function([], []);
    types.ty().function([ValType::I32; 2], [ValType::I32]);
    types.ty().function([ValType::I32], []);
    types.ty().function([ValType::I32], [ValType::I32]);
    let mut imports = ImportSection::new();
    imports.import("host", "ask", EntityType::Function(0));
    let mut functions = FunctionSection::new();
    for kind in [0, 1, 2, 1, 3, 3, 3, 3, 4] {
        functions.function(kind);
    }
    let mut tables = TableSection::new();
    tables.table(TableType {
        element_type: RefType::FUNCREF,
        table64: false,
        minimum: 4,
        maximum: None,
        shared: false,
    });
    let mut memories = MemorySection::new();
    memories.memory(MemoryType {
        minimum: 16,
        maximum: None,
        memory64: false,
        shared: false,
        page_size_log2: None,
    });
    let mut globals = GlobalSection::new();
    let pointer = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
    globals.global(pointer, &ConstExpr::i32_const(65_536));
    let mut exports = ExportSection::new();
    for (name, index) in names::ALL.into_iter().zip(1..) {
        exports.export(name, ExportKind::Func, index);
    }
    exports.export("run", ExportKind::Func, 9);
    exports.export("pointer", ExportKind::Global, 0);
    let mut elements = ElementSection::new();
    elements.active(Some(0), &ConstExpr::i32_const(0), Elements::Functions((&[5, 6, 7, 8]).into()));
    let mut out = Module::new();
    out.section(&types).section(&imports).section(&functions).section(&tables);
    out.section(&memories).section(&globals).section(&exports).section(&elements);
    out.section(&bodies());
    out.finish()
}

fn bodies() -> CodeSection {
    let mut code = CodeSection::new();
    // Out of fuel: asks the host.
    let mut body = Function::new([(1, ValType::I32)]);
    body.instructions().call(ASK).local_tee(0).i32_eqz().if_(BlockType::Empty).call(THROW).end();
    body.instructions().local_get(0).end();
    code.function(&body);
    // Out of stack.
    let mut body = Function::new([]);
    body.instructions().call(THROW).unreachable().end();
    code.function(&body);
    // Catch and throw, to be replaced.
    let mut body = Function::new([]);
    body.instructions().i32_const(7).end();
    code.function(&body);
    let mut body = Function::new([]);
    body.instructions().unreachable().end();
    code.function(&body);
    // Endless: a loop in a block, with a `return` that is never reached.
    let mut body = Function::new([]);
    body.instructions().loop_(BlockType::Empty).block(BlockType::Empty).local_get(0);
    body.instructions().br_if(1).end().br(0).end().return_().end();
    code.function(&body);
    // Deep: calls itself, and returns early where the argument is negative.
    let mut body = Function::new([(20, ValType::I64)]);
    body.instructions().local_get(0).i32_const(0).i32_lt_s().if_(BlockType::Empty).return_().end();
    body.instructions().local_get(0).i32_const(1).i32_add().call(6).end();
    code.function(&body);
    // Copying: half a megabyte each time.
    let mut body = Function::new([]);
    body.instructions().loop_(BlockType::Empty);
    body.instructions().i32_const(0).i32_const(500_000).local_get(0).memory_copy(0, 0);
    body.instructions().br(0).end().end();
    code.function(&body);
    // Fine: a hundred turns of a loop.
    let mut body = Function::new([(1, ValType::I32)]);
    body.instructions().loop_(BlockType::Empty);
    body.instructions().local_get(1).i32_const(1).i32_add().local_tee(1).i32_const(100).i32_lt_s();
    body.instructions().br_if(0).end().end();
    code.function(&body);
    // Run: the function, and an argument that is the size of a block to one of them.
    let mut body = Function::new([]);
    body.instructions().local_get(0).i32_const(500_000).call(3).end();
    code.function(&body);
    code
}

/// Runs one of them: what `meter_catch` said, and how often the host was asked.
fn run(which: i32) -> (i32, u32) {
    let metered = module::metered(&module()).unwrap();
    let engine = Engine::default();
    let module = wasmtime::Module::new(&engine, metered).unwrap();
    let mut linker = Linker::new(&engine);
    let ask = |mut caller: Caller<'_, u32>| {
        *caller.data_mut() += 1;
        if *caller.data() < 5 { 1_000 } else { 0 }
    };
    linker.func_wrap("host", "ask", ask).unwrap();
    let mut store = Store::new(&engine, 0);
    let instance = linker.instantiate(&mut store, &module).unwrap();
    for name in names::ALL {
        assert!(instance.get_func(&mut store, name).is_none(), "{name} is still exported");
    }
    let run = instance.get_typed_func::<i32, i32>(&mut store, "run").unwrap();
    let said = run.call(&mut store, which).unwrap();
    let pointer = instance.get_global(&mut store, "pointer").unwrap();
    assert_eq!(pointer.get(&mut store).i32(), Some(65_536));
    (said, *store.data())
}

#[test]
fn a_loop_is_stopped_when_the_host_says_so() {
    assert_eq!(run(ENDLESS), (1, 5));
}

#[test]
fn blocks_burn_fuel_by_their_size() {
    assert_eq!(run(COPYING), (1, 5));
}

#[test]
fn calls_are_stopped_before_the_stack_is_exhausted() {
    assert_eq!(run(DEEP), (1, 0));
}

#[test]
fn what_ends_by_itself_is_not_touched() {
    assert_eq!(run(FINE), (0, 0));
}

#[test]
fn a_module_that_does_not_ask_is_refused() {
    assert!(module::metered(&Module::new().finish()).is_err());
    assert!(super::metered(b"\0asm\x01\0\0\0").is_err());
}
