//! The WebAssembly engine, configured as Spin configures its own.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, Result};
use wasmtime::component::{Component, HasSelf, Linker};
use wasmtime::{
    Cache, CacheConfig, Config, Engine, InstanceAllocationStrategy, PoolingAllocationConfig,
};

use wasmtime_wasi::cli::{WasiCli, WasiCliView as _};
use wasmtime_wasi::filesystem::{WasiFilesystem, WasiFilesystemView as _};
use wasmtime_wasi::p2::bindings::{cli, filesystem, random};
use wasmtime_wasi::random::{WasiRandom, WasiRandomView as _};
use wasmtime_wasi::{p2, p3};

use crate::bindings::{key_value, key_value_2, sqlite, variables};
use crate::guest::GuestState;
use crate::output::Output;

/// How often the epoch advances.
const TICK: Duration = Duration::from_millis(10);

const MIB: usize = 1 << 20;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EngineOptions {
    /// Where compiled components are kept.
    pub cache_dir: PathBuf,
    /// Spin's baseline, from which the pool's other numbers follow.
    pub max_instances: u32,
    /// How many bytes of a memory stay with the process when its instance ends.
    pub keep_resident: usize,
}

/// An engine with its epoch ticking, and what it has compiled.
pub(crate) struct Running {
    pub engine: Engine,
    options: EngineOptions,
    /// Why instances are not pooled, where they are not.
    unpooled: Option<String>,
    loaded: Mutex<HashMap<PathBuf, Loaded>>,
}

/// A component as its file was when it was read.
struct Loaded {
    length: u64,
    modified: SystemTime,
    component: Component,
}

/// Instances at once that a server may have if nothing else is said, as under Spin.
pub(crate) const MOST_INSTANCES: u32 = 1_000;

/// Servers that start one after another in a process have one engine: to unpack the same machine code for each was a
/// sixth of the processor time of tests. Who asks for a pool of another size has one alone: its bound is meant for one server.
static RUNNING: Mutex<Vec<Arc<Running>>> = Mutex::new(Vec::new());

/// The engine of this process for these options.
pub(crate) fn running(options: &EngineOptions, output: &Output) -> Result<Arc<Running>> {
    let running = match options.max_instances {
        MOST_INSTANCES => shared(options)?,
        _ => Arc::new(start(options)?),
    };
    if let Some(error) = &running.unpooled {
        output.say("host", &format!("instances are not pooled, so slower to make: {error}"));
    }
    Ok(running)
}

fn shared(options: &EngineOptions) -> Result<Arc<Running>> {
    let mut known = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(running) = known.iter().find(|running| running.options == *options) {
        return Ok(Arc::clone(running));
    }
    let running = Arc::new(start(options)?);
    known.push(Arc::clone(&running));
    Ok(running)
}

fn start(options: &EngineOptions) -> Result<Running> {
    let (engine, unpooled) = match Engine::new(&pooling(options)?) {
        Ok(engine) => (engine, None),
        // As Spin does on machines with little address space.
        Err(error) => (Engine::new(&on_demand(&options.cache_dir)?)?, Some(error.to_string())),
    };
    let ticking = engine.weak();
    std::thread::Builder::new().name("epoch".to_owned()).spawn(move || {
        while let Some(engine) = ticking.upgrade() {
            engine.increment_epoch();
            drop(engine);
            std::thread::sleep(TICK);
        }
    })?;
    Ok(Running { engine, options: options.clone(), unpooled, loaded: Mutex::default() })
}

impl Running {
    /// Compiles a component, or takes it from the cache, or has it already.
    pub(crate) fn load(&self, file: &Path) -> Result<Component> {
        let about = std::fs::metadata(file).and_then(|it| Ok((it.len(), it.modified()?)));
        let Ok((length, modified)) = about else { return compile(&self.engine, file) };
        // Whoever wants the same at once waits for it instead of compiling it, too.
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = loaded.get(file)
            && (known.length, known.modified) == (length, modified)
        {
            return Ok(known.component.clone());
        }
        let component = compile(&self.engine, file)?;
        let known = Loaded { length, modified, component: component.clone() };
        loaded.insert(file.to_owned(), known);
        Ok(component)
    }
}

/// An engine that only compiles and reflects.
pub(crate) fn for_inspection(cache_dir: &Path) -> Result<Engine> {
    Ok(Engine::new(&on_demand(cache_dir)?)?)
}

fn on_demand(cache_dir: &Path) -> Result<Config> {
    let mut config = base(cache_dir)?;
    config.allocation_strategy(InstanceAllocationStrategy::OnDemand);
    Ok(config)
}

fn base(cache_dir: &Path) -> Result<Config> {
    std::fs::create_dir_all(cache_dir)
        .with_context(|| format!("cannot create the cache directory {}", cache_dir.display()))?;
    let mut cache = CacheConfig::new();
    cache.with_directory(std::path::absolute(cache_dir)?);
    let mut config = Config::new();
    config
        .epoch_interruption(true)
        .wasm_component_model(true)
        .wasm_component_model_async(true)
        .cache(Some(Cache::new(cache)?));
    Ok(config)
}

fn pooling(options: &EngineOptions) -> Result<Config> {
    let many = options.max_instances;
    let mut pool = PoolingAllocationConfig::default();
    pool.total_component_instances(many)
        .total_memories(many)
        .total_tables(2 * many)
        .total_stacks(many)
        .total_core_instances(4 * many)
        .table_elements(100_000)
        .max_component_instance_size(10 * MIB)
        .max_core_instance_size(10 * MIB)
        .max_core_instances_per_component(200)
        .max_tables_per_component(64)
        .max_memories_per_component(32)
        .max_tables_per_module(2)
        .max_memories_per_module(2)
        .max_memory_size(4 << 30)
        .linear_memory_keep_resident(options.keep_resident)
        .table_keep_resident(MIB / 2);
    let mut config = base(&options.cache_dir)?;
    config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
    Ok(config)
}

/// Everything that a component of ours may import. Of WASI: what ours and their standard library name, and
/// nothing of sockets. Each function is compiled for this host: the others were a third of its build.
pub(crate) fn linker(engine: &Engine) -> wasmtime::Result<Linker<GuestState>> {
    let mut linker = Linker::new(engine);
    wasi_of_the_standard_library(&mut linker)?;
    p3::cli::add_to_linker(&mut linker)?;
    p3::clocks::add_to_linker(&mut linker)?;
    p3::random::add_to_linker(&mut linker)?;
    wasmtime_wasi_http::p3::add_to_linker(&mut linker)?;
    key_value_2::add_to_linker::<_, HasSelf<GuestState>>(&mut linker, |guest| guest)?;
    key_value::add_to_linker::<_, HasSelf<GuestState>>(&mut linker, |guest| guest)?;
    sqlite::add_to_linker::<_, HasSelf<GuestState>>(&mut linker, |guest| guest)?;
    variables::add_to_linker::<_, HasSelf<GuestState>>(&mut linker, |guest| guest)?;
    Ok(linker)
}

/// WASI 0.2, which only Rust's standard library speaks.
fn wasi_of_the_standard_library(linker: &mut Linker<GuestState>) -> wasmtime::Result<()> {
    p2::add_to_linker_proxy_interfaces_async(linker)?;
    random::insecure_seed::add_to_linker::<_, WasiRandom>(linker, GuestState::random)?;
    cli::exit::add_to_linker::<_, WasiCli>(linker, GuestState::cli)?;
    cli::environment::add_to_linker::<_, WasiCli>(linker, GuestState::cli)?;
    cli::terminal_input::add_to_linker::<_, WasiCli>(linker, GuestState::cli)?;
    cli::terminal_output::add_to_linker::<_, WasiCli>(linker, GuestState::cli)?;
    cli::terminal_stdin::add_to_linker::<_, WasiCli>(linker, GuestState::cli)?;
    cli::terminal_stdout::add_to_linker::<_, WasiCli>(linker, GuestState::cli)?;
    cli::terminal_stderr::add_to_linker::<_, WasiCli>(linker, GuestState::cli)?;
    // There is no folder to give; a sandbox that was built quickly names them all the same.
    filesystem::preopens::add_to_linker::<_, WasiFilesystem>(linker, GuestState::filesystem)?;
    filesystem::types::add_to_linker::<_, WasiFilesystem>(linker, GuestState::filesystem)
}

/// Compiles a component, or takes it from the cache.
pub(crate) fn compile(engine: &Engine, file: &Path) -> Result<Component> {
    let component = Component::from_file(engine, file)
        .map_err(anyhow::Error::from)
        .with_context(|| format!("cannot load the component {}; is it built?", file.display()))?;
    // Else the first instance writes it to a file in memory, and fails in a process that may write none: a test's full
    // disk is such a limit.
    // The kernel does not seal that file while something of its own looks at the pages, and says that it is busy.
    let image = || component.initialize_copy_on_write_image();
    image().or_else(|_| image()).or_else(|_| image()).map_err(anyhow::Error::from)?;
    Ok(component)
}
