//! One component at work: what belongs to all its instances, the state of one instance, and
//! the rules by which wasmtime's `ProxyHandler` reuses instances, with Spin's numbers.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use tokio::time::Sleep;
use tokio_util::sync::WaitForCancellationFutureOwned;
use tokio_util::task::task_tracker::TaskTrackerToken;
use wasmtime::component::{GuestTaskId, ResourceTable};
use wasmtime::{ResourceLimiter, Store, StoreContextMut, UpdateDeadline};
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};
use wasmtime_wasi_http::WasiHttpCtx;
use wasmtime_wasi_http::handler::{
    HandlerState, Instance, Proxy, ShouldAccept, ViewFn, WorkerExpiration, WorkerState,
    WorkerStatus,
};
use wasmtime_wasi_http::p3::bindings::ServicePre;
use wasmtime_wasi_http::p3::{WasiHttpCtxView, WasiHttpView};

use crate::calls::{Calls, Counted};
use crate::clock::Clock;
use crate::key_value::KeyValue;
use crate::memory::Peak;
use crate::outbound::Outbound;
use crate::output::Output;
use crate::server::Lifetime;
use crate::sqlite::Location;
use crate::variables::ComponentVariables;
use crate::witness::Watched;

/// How instances are reused.
#[derive(Debug, Clone, Copy)]
pub struct Reuse {
    /// Requests that one instance works on at once.
    pub concurrent: usize,
    /// Requests after which an instance takes no more.
    pub total: usize,
    /// How long an instance stays without work.
    pub idle: Duration,
}

impl Default for Reuse {
    /// Spin's defaults.
    fn default() -> Self {
        Self { concurrent: 16, total: 128, idle: Duration::from_secs(1) }
    }
}

/// What all instances of a component share.
pub(crate) struct GuestComponent {
    pub id: Arc<str>,
    pub variables: Arc<ComponentVariables>,
    pub clock: Clock,
    pub environment: Vec<(String, String)>,
    pub key_value_stores: Vec<String>,
    pub key_value: Arc<KeyValue>,
    pub sqlite_databases: Vec<String>,
    pub sqlite: Arc<Location>,
    /// Who watches what they do.
    pub watched: Option<Watched>,
    pub output: Output,
    /// The most bytes that its instances' memories have had.
    pub peak_memory: Arc<Peak>,
    /// The calls to the host, where they are counted.
    pub calls: Option<Arc<Calls>>,
}

/// Notes how much memory an instance takes; it refuses none.
struct Meter {
    used: usize,
    peak: Arc<Peak>,
}

impl ResourceLimiter for Meter {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        _: Option<usize>,
    ) -> wasmtime::Result<bool> {
        self.used += desired.saturating_sub(current);
        self.peak.note(desired, self.used);
        Ok(true)
    }

    fn table_growing(&mut self, _: usize, _: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        Ok(true)
    }

    // Spin's own numbers are the pooling allocator's; these only have to be no lower.
    fn instances(&self) -> usize {
        usize::MAX
    }

    fn tables(&self) -> usize {
        usize::MAX
    }

    fn memories(&self) -> usize {
        usize::MAX
    }
}

/// The data of one instance.
pub(crate) struct GuestState {
    pub component: Arc<GuestComponent>,
    pub table: ResourceTable,
    /// Connections to databases that it has open.
    pub open_databases: usize,
    wasi: WasiCtx,
    http: WasiHttpCtx,
    outbound: Outbound,
    meter: Meter,
    /// Counted by the host, so that a shutdown can wait for the last instance.
    _alive: TaskTrackerToken,
}

impl WasiView for GuestState {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}

impl WasiHttpView for GuestState {
    fn http(&mut self) -> WasiHttpCtxView<'_> {
        WasiHttpCtxView { ctx: &mut self.http, table: &mut self.table, hooks: &mut self.outbound }
    }
}

pub(crate) struct Instances {
    pub component: Arc<GuestComponent>,
    pub pre: ServicePre<GuestState>,
    pub outbound: Outbound,
    pub reuse: Reuse,
    pub lifetime: Lifetime,
}

/// How often, in ticks of 10 ms, a busy guest looks whether the host has ended.
const LOOK_UP: u64 = 10;

impl Instances {
    fn store(&self) -> Store<GuestState> {
        let component = self.component.clone();
        let output = component.output.stream(component.id.clone());
        let mut wasi = WasiCtx::builder();
        wasi.stdout(output.clone()).stderr(output).envs(&component.environment);
        wasi.wall_clock(component.clock.clone());
        let meter = Meter { used: 0, peak: component.peak_memory.clone() };
        let state = GuestState {
            component,
            meter,
            table: ResourceTable::new(),
            open_databases: 0,
            wasi: wasi.build(),
            http: WasiHttpCtx::new(),
            outbound: self.outbound.clone(),
            _alive: self.lifetime.guests.tasks.token(),
        };
        let mut store = Store::new(self.pre.engine(), state);
        store.limiter(|state| &mut state.meter);
        // As under Spin nothing interrupts a busy guest, except that the host must be able to end.
        let ended = self.lifetime.guests.ended.clone();
        store.set_epoch_deadline(LOOK_UP);
        store.epoch_deadline_callback(move |_| {
            Ok(match ended.is_cancelled() {
                true => UpdateDeadline::Interrupt,
                false => UpdateDeadline::Continue(LOOK_UP),
            })
        });
        store
    }
}

impl HandlerState for Instances {
    type StoreData = GuestState;
    type WorkerExpiration = Expiration;
    type WorkerState = Worker;

    async fn instantiate(&self) -> wasmtime::Result<Instance<GuestState, Expiration, Worker>> {
        let counted = self.component.calls.as_ref().map(Counted::here);
        let mut store = self.store();
        let proxy = Proxy::P3(self.pre.instantiate_async(&mut store).await?);
        Ok(Instance {
            store,
            proxy,
            view: ViewFn::P3(GuestState::http),
            expiration: Expiration {
                idle: self.reuse.idle,
                sleep: Box::pin(tokio::time::sleep(self.reuse.idle)),
                ended: Box::pin(self.lifetime.guests.ended.clone().cancelled_owned()),
            },
            state: Worker {
                component: self.component.clone(),
                reuse: self.reuse,
                _counted: counted,
            },
        })
    }
}

/// Ends an instance that was idle for long enough, and every instance with the host.
pub(crate) struct Expiration {
    idle: Duration,
    sleep: Pin<Box<Sleep>>,
    ended: Pin<Box<WaitForCancellationFutureOwned>>,
}

impl WorkerExpiration for Expiration {
    fn poll(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        status: WorkerStatus,
        since: Instant,
    ) -> Poll<()> {
        if self.ended.as_mut().poll(context).is_ready() {
            return Poll::Ready(());
        }
        match status {
            WorkerStatus::Requests | WorkerStatus::PostReturn => Poll::Pending,
            WorkerStatus::Idle => {
                let Some(deadline) = since.checked_add(self.idle) else { return Poll::Pending };
                let deadline = deadline.into();
                if self.sleep.deadline() != deadline {
                    self.sleep.as_mut().reset(deadline);
                }
                self.sleep.as_mut().poll(context)
            }
        }
    }
}

/// Says how many requests one instance takes, and how it ended.
pub(crate) struct Worker {
    component: Arc<GuestComponent>,
    reuse: Reuse,
    _counted: Option<Counted>,
}

impl WorkerState for Worker {
    type StoreData = GuestState;
    type RequestId = ();

    fn should_accept_request(&self, concurrent: usize, total: usize) -> ShouldAccept {
        if total >= self.reuse.total {
            ShouldAccept::Never
        } else if concurrent >= self.reuse.concurrent {
            ShouldAccept::No
        } else {
            ShouldAccept::Yes
        }
    }

    fn on_request_start(
        &self,
        _: StoreContextMut<'_, GuestState>,
        (): (),
        _: GuestTaskId,
    ) -> Pin<Box<dyn Future<Output = ()> + Send + Sync>> {
        Box::pin(std::future::pending())
    }

    fn drop(&self, store: Store<GuestState>, result: wasmtime::Result<()>) {
        if let Err(error) = result {
            self.component.output.say(&self.component.id, &format!("instance ended: {error:?}"));
        }
        drop(store);
    }
}
