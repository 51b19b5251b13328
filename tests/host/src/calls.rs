//! Host calls, counted by name and component: the spans that wasmtime's bindings make for each
//! call are taken by a subscriber that does nothing but count.
//!
//! Spin has a subscriber too, which asks its filters about each call. So counting costs about what
//! tracing costs there: one look at a shared table a call. The subscriber belongs to the process;
//! whose call it is, tells the task that makes it, because each instance works in a task of its own.

use std::collections::{BTreeMap, HashMap};
use std::fmt::{self, Debug, Display, Formatter};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError, RwLock};

use tokio::task;
use tracing::callsite::Identifier;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// What wasmtime's bindings call the span of a call from a guest to the host.
const IMPORT: &str = "wit-bindgen import";

/// All that this process counts with.
static SHARED: LazyLock<Shared> = LazyLock::new(Shared::default);

#[derive(Default)]
struct Shared {
    /// The place of a call site in `names`.
    sites: RwLock<HashMap<Identifier, usize>>,
    names: Mutex<Vec<String>>,
    /// Whose instance a task is.
    instances: RwLock<HashMap<task::Id, Arc<Calls>>>,
}

/// The calls of one component.
#[derive(Debug, Default)]
pub(crate) struct Calls(Mutex<Vec<u64>>);

impl Calls {
    /// How often each function was called, by its name.
    fn by_name(&self) -> BTreeMap<String, u64> {
        let counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let names = SHARED.names.lock().unwrap_or_else(PoisonError::into_inner);
        let mut named = BTreeMap::new();
        for (name, count) in names.iter().zip(&*counts).filter(|(_, count)| **count > 0) {
            *named.entry(name.clone()).or_default() += count;
        }
        named
    }

    fn add(&self, site: usize) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.len() <= site {
            counts.resize(site + 1, 0);
        }
        if let Some(count) = counts.get_mut(site) {
            *count += 1;
        }
    }
}

/// The calls of all components of a host that counts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally(BTreeMap<String, Arc<Calls>>);

impl Tally {
    /// For these components.
    pub fn of<'a>(components: impl Iterator<Item = &'a String>) -> Self {
        Self(components.map(|id| (id.clone(), Arc::default())).collect())
    }

    pub fn counts_any(&self) -> bool {
        !self.0.is_empty()
    }

    pub fn component(&self, id: &str) -> Option<Arc<Calls>> {
        self.0.get(id).cloned()
    }

    /// How often, by component and function.
    pub fn counts(&self) -> BTreeMap<(String, String), u64> {
        let named = |(id, calls): (&String, &Arc<Calls>)| {
            let id = id.clone();
            calls.by_name().into_iter().map(move |(name, count)| ((id.clone(), name), count))
        };
        self.0.iter().flat_map(named).collect()
    }
}

/// A line a function: the component, its name, how often; a tab between them.
impl Display for Tally {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.counts()
            .into_iter()
            .try_for_each(|((id, name), count)| writeln!(f, "{id}\t{name}\t{count}"))
    }
}

/// While it lives, the calls of the task that made it are counted.
#[derive(Debug)]
pub(crate) struct Counted(Option<task::Id>);

impl Counted {
    /// Counts the calls of the task at hand.
    pub fn here(calls: &Arc<Calls>) -> Self {
        let task = task::try_id();
        if let Some(task) = task {
            let mut instances = SHARED.instances.write().unwrap_or_else(PoisonError::into_inner);
            instances.insert(task, calls.clone());
        }
        Self(task)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        if let Some(task) = self.0 {
            SHARED.instances.write().unwrap_or_else(PoisonError::into_inner).remove(&task);
        }
    }
}

/// Another subscriber is at work in this process, so calls cannot be counted.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("host calls cannot be counted: this process has another subscriber for its spans")]
pub(crate) struct Occupied;

/// Begins to count in this process; from then on, each call costs that.
pub(crate) fn count() -> Result<(), Occupied> {
    static COUNTING: OnceLock<bool> = OnceLock::new();
    match COUNTING.get_or_init(|| tracing::subscriber::set_global_default(Counting).is_ok()) {
        true => Ok(()),
        false => Err(Occupied),
    }
}

struct Counting;

impl Subscriber for Counting {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_span() && metadata.name() == IMPORT
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let site = site(span);
        let instances = SHARED.instances.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(calls) = task::try_id().and_then(|task| instances.get(&task)) {
            calls.add(site);
        }
        // Nothing is kept of a span, so all may have one number.
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The place of a span's call site in the list of names.
fn site(span: &Attributes<'_>) -> usize {
    let callsite = span.metadata().callsite();
    let known = SHARED.sites.read().unwrap_or_else(PoisonError::into_inner).get(&callsite).copied();
    known.unwrap_or_else(|| {
        let mut function = Function::default();
        span.record(&mut function);
        let name = name(span.metadata().module_path().unwrap_or_default(), &function);
        let mut names = SHARED.names.lock().unwrap_or_else(PoisonError::into_inner);
        let mut sites = SHARED.sites.write().unwrap_or_else(PoisonError::into_inner);
        *sites.entry(callsite).or_insert_with(|| {
            names.push(name);
            names.len() - 1
        })
    })
}

/// What a span says of its function: the interface and the name, both without the package.
#[derive(Debug, Default)]
struct Function {
    interface: String,
    name: String,
}

impl Visit for Function {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "module" => value.clone_into(&mut self.interface),
            "function" => value.clone_into(&mut self.name),
            _ => {}
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}

/// The name as WIT has it, with the package from the path of the bindings; the second version of
/// WASI, which the standard library calls, is told apart.
fn name(path: &str, function: &Function) -> String {
    let Function { interface, name } = function;
    let version = if path.contains("::p2::") { "@0.2" } else { "" };
    let package = path.rsplit("::").nth(1).unwrap_or_default().replace('_', "-");
    let owner = path.rsplit("::").nth(2).unwrap_or_default();
    format!("{owner}:{package}/{interface}{version}.{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_interfaces() {
        let function = |interface: &str, name: &str| Function {
            interface: interface.to_owned(),
            name: name.to_owned(),
        };
        assert_eq!(
            name(
                "quarry_host::bindings::generated::spin::key_value::key_value",
                &function("key-value", "[method]store.get")
            ),
            "spin:key-value/key-value.[method]store.get"
        );
        assert_eq!(
            name("wasmtime_wasi::p2::bindings::wasi::io::poll", &function("poll", "poll")),
            "wasi:io/poll@0.2.poll"
        );
    }
}
