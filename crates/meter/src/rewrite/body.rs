//! Function bodies: the rewriting of those that are there, and the few that are added.

use anyhow::Result;
use wasm_encoder::reencode::{Reencode, RoundtripReencoder};
use wasm_encoder::{BlockType, Catch, Function, InstructionSink, ValType};
use wasmparser::{FuncType, FunctionBody, Operator};

/// A block copy or fill of at most this many bytes costs no fuel.
const SMALL: i32 = 4_096;

/// Bytes of a block that cost as much as one turn of a loop, as a power of two.
const BLOCK: i32 = 8;

/// Where the added things are, and what is known of the others.
pub struct Meter<'a> {
    /// The type of each function, imported ones first.
    pub functions: &'a [FuncType],
    /// All types.
    pub types: &'a [FuncType],
    /// Global: turns of loops until the next question.
    pub fuel: u32,
    /// Global: bytes of stack that are left.
    pub stack: u32,
    /// Global: the pointer of the stack in linear memory.
    pub pointer: u32,
    /// The exception that stops the work.
    pub tag: u32,
    /// Function: fuel is out.
    pub burn: u32,
    /// Function: the stack is used up.
    pub overflow: u32,
    /// Function: copies a block.
    pub copy: u32,
    /// Function: fills a block.
    pub fill: u32,
    /// The type of what `catch` calls.
    pub call_type: u32,
}

impl Meter<'_> {
    /// How many arguments a call has; 0 for what is no call.
    fn arguments(&self, operator: &Operator<'_>) -> u32 {
        let called = match operator {
            Operator::Call { function_index } => self.functions.get(*function_index as usize),
            Operator::CallIndirect { type_index, .. } => self.types.get(*type_index as usize),
            _ => None,
        };
        called.and_then(|called| u32::try_from(called.params().len()).ok()).unwrap_or(0)
    }
}

/// A body with every loop and, unless it calls nothing, its frame accounted for.
pub fn metered(body: &FunctionBody<'_>, kind: &FuncType, meter: &Meter<'_>) -> Result<Function> {
    let mut same = RoundtripReencoder;
    let mut locals = Vec::new();
    let mut count = u32::try_from(kind.params().len())?;
    for group in body.get_locals_reader()? {
        let (many, of) = group?;
        locals.push((many, same.val_type(of)?));
        count += many;
    }
    let operators: Vec<Operator<'_>> =
        body.get_operators_reader()?.into_iter().collect::<Result<_, _>>()?;
    let framed = operators
        .iter()
        .any(|operator| matches!(operator, Operator::Call { .. } | Operator::CallIndirect { .. }));
    let before = framed.then_some(count);
    if framed {
        locals.push((1, ValType::I32));
    }
    let mut out = Function::new(locals);
    if framed {
        enter(&mut out, count, cost(body, count, &operators, meter), meter);
        let result = match kind.results() {
            [] => BlockType::Empty,
            [one] => BlockType::Result(same.val_type(*one)?),
            more => anyhow::bail!("a function gives {} results; one is expected", more.len()),
        };
        out.instructions().block(result);
    }
    instructions(&mut out, operators, before, meter)?;
    Ok(out)
}

/// The instructions of a body, up to its end. `before`: the local that has what the stack was, where its frame is
/// accounted for.
fn instructions(
    out: &mut Function,
    operators: Vec<Operator<'_>>,
    before: Option<u32>,
    meter: &Meter<'_>,
) -> Result<()> {
    let mut same = RoundtripReencoder;
    let mut depth = 0_u32;
    let mut known_size = None;
    for operator in operators {
        let mut sink = out.instructions();
        match &operator {
            Operator::Loop { .. } => {
                depth += 1;
                out.instruction(&same.instruction(operator)?);
                tick(&mut out.instructions(), meter);
                known_size = None;
                continue;
            }
            Operator::Block { .. } | Operator::If { .. } => depth += 1,
            Operator::TryTable { .. } => anyhow::bail!("the module has exceptions of its own"),
            Operator::End if depth == 0 => {
                sink.end();
                if let Some(before) = before {
                    sink.local_get(before).global_set(meter.stack).end();
                }
                return Ok(());
            }
            Operator::End => depth -= 1,
            // The added block takes the place of the body's own label; only `return` skips it.
            Operator::Return if before.is_some() => {
                sink.br(depth);
                continue;
            }
            Operator::MemoryCopy { dst_mem: 0, src_mem: 0 } if !small(known_size) => {
                sink.call(meter.copy);
                continue;
            }
            Operator::MemoryFill { mem: 0 } if !small(known_size) => {
                sink.call(meter.fill);
                continue;
            }
            _ => {}
        }
        known_size = match operator {
            Operator::I32Const { value } => Some(value),
            _ => None,
        };
        out.instruction(&same.instruction(operator)?);
    }
    anyhow::bail!("a body has no end")
}

fn small(size: Option<i32>) -> bool {
    size.is_some_and(|size| (0..=SMALL).contains(&size))
}

/// What a frame takes of the native stack, in bytes, fitted to what wasmtime 47 makes of the sandbox
/// on x86-64: it is more than nearly every function takes, and more than twice as much as most. The
/// compiler keeps values in memory across calls, and puts there what does not fit into registers
/// for a call. Half of what the frame has in linear memory counts too, because that stack is twice
/// as large and may be exhausted first.
fn cost(
    body: &FunctionBody<'_>,
    locals: u32,
    operators: &[Operator<'_>],
    meter: &Meter<'_>,
) -> i32 {
    const FRAME: u32 = 112;
    const LOCAL: u32 = 14;
    const ARGUMENT: u32 = 8;
    /// Bytes of a body that are good for one more byte of its frame.
    const CODE: u64 = 64;
    let arguments = operators.iter().map(|operator| meter.arguments(operator)).max().unwrap_or(0);
    let code = body.range();
    let code = u32::try_from((code.end - code.start) / CODE).unwrap_or(u32::MAX);
    let native = FRAME + LOCAL * locals + ARGUMENT * arguments.saturating_sub(2) + code;
    let linear = match operators {
        [
            Operator::GlobalGet { global_index },
            Operator::I32Const { value },
            Operator::I32Sub,
            ..,
        ] if *global_index == meter.pointer => value.unsigned_abs() / 2,
        _ => 0,
    };
    i32::try_from(native.max(linear)).unwrap_or(i32::MAX)
}

/// Takes a frame's cost, keeping what was left in the local `before`.
fn enter(out: &mut Function, before: u32, cost: i32, meter: &Meter<'_>) {
    out.instructions()
        .global_get(meter.stack)
        .local_tee(before)
        .i32_const(cost)
        .i32_sub()
        .global_set(meter.stack)
        .global_get(meter.stack)
        .i32_const(0)
        .i32_lt_s()
        .if_(BlockType::Empty)
        .call(meter.overflow)
        .end();
}

/// Burns one unit. Fuel is never below one in between, so that it meets zero exactly.
fn tick(sink: &mut InstructionSink<'_>, meter: &Meter<'_>) {
    sink.global_get(meter.fuel)
        .i32_const(1)
        .i32_sub()
        .global_set(meter.fuel)
        .global_get(meter.fuel)
        .i32_eqz()
        .if_(BlockType::Empty)
        .call(meter.burn)
        .end();
}

/// Fuel is out: asks for more. What is asked has loops of its own and gets fuel for them.
pub fn burn(meter: &Meter<'_>, out_of_fuel: u32) -> Function {
    let mut out = Function::new([]);
    out.instructions()
        .i32_const(i32::MAX)
        .global_set(meter.fuel)
        .call(out_of_fuel)
        .global_set(meter.fuel)
        .end();
    out
}

/// The stack is used up: tells, with enough of it to do so.
pub fn overflow(meter: &Meter<'_>, out_of_stack: u32) -> Function {
    const RESERVE: i32 = 32 * 1024;
    let mut out = Function::new([]);
    out.instructions()
        .i32_const(RESERVE)
        .global_set(meter.stack)
        .call(out_of_stack)
        .unreachable()
        .end();
    out
}

/// Which block operation.
#[derive(Clone, Copy)]
pub enum Bulk {
    /// `memory.copy`
    Copy,
    /// `memory.fill`
    Fill,
}

/// A block operation that burns fuel by its size.
pub fn bulk(meter: &Meter<'_>, which: Bulk) -> Function {
    let mut out = Function::new([(1, ValType::I32)]);
    let (size, left) = (2, 3);
    let mut sink = out.instructions();
    sink.global_get(meter.fuel)
        .local_get(size)
        .i32_const(BLOCK)
        .i32_shr_u()
        .i32_sub()
        .local_tee(left)
        .i32_const(0)
        .i32_le_s()
        .if_(BlockType::Empty)
        .call(meter.burn)
        .else_()
        .local_get(left)
        .global_set(meter.fuel)
        .end();
    sink.local_get(0).local_get(1).local_get(size);
    match which {
        Bulk::Copy => sink.memory_copy(0, 0),
        Bulk::Fill => sink.memory_fill(0),
    };
    sink.end();
    out
}

/// `(function, argument) -> i32`: 0 when the function came back, 1 when it was thrown out of.
pub fn catch(meter: &Meter<'_>) -> Function {
    let mut out = Function::new([(2, ValType::I32)]);
    let (function, argument, pointer, stack) = (0, 1, 2, 3);
    out.instructions()
        .global_get(meter.pointer)
        .local_set(pointer)
        .global_get(meter.stack)
        .local_set(stack)
        .block(BlockType::Empty)
        .try_table(BlockType::Empty, [Catch::One { tag: meter.tag, label: 0 }])
        .local_get(argument)
        .local_get(function)
        .call_indirect(0, meter.call_type)
        .end()
        .i32_const(0)
        .return_()
        .end()
        .local_get(pointer)
        .global_set(meter.pointer)
        .local_get(stack)
        .global_set(meter.stack)
        .i32_const(1)
        .end();
    out
}

/// `() -> !`
pub fn throw(meter: &Meter<'_>) -> Function {
    let mut out = Function::new([]);
    out.instructions().throw(meter.tag).end();
    out
}
