//! What a store's call tells its guest as it goes on: one item after another, and behind them how it ended.
//!
//! Border: as in Spin, no more than four items wait for the guest. Whoever holds something meanwhile, a lock or an open
//! statement, holds it until the guest has read the rest or lets go of it.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::sync::{mpsc, oneshot};
use wasmtime::StoreContextMut;
use wasmtime::component::{Destination, FutureReader, Lift, Lower, StreamReader};
use wasmtime::component::{StreamProducer, StreamResult};

/// Items that wait for the guest at most, as in Spin.
const AHEAD: usize = 4;

/// The teller's side and the guest's.
pub(crate) fn rows<T, E>() -> (Teller<T, E>, Rows<T, E>) {
    let (items, read) = mpsc::channel(AHEAD);
    let (end, ended) = oneshot::channel();
    (Teller { items, end }, Rows { items: read, end: ended })
}

/// Nobody reads any more.
#[derive(Debug)]
pub(crate) struct Gone;

/// By which a call tells.
pub(crate) struct Teller<T, E> {
    items: mpsc::Sender<T>,
    end: oneshot::Sender<Result<(), E>>,
}

impl<T, E> Teller<T, E> {
    /// Tells an item, and blocks its thread until there is room for it.
    pub fn tell_blocking(&self, item: T) -> Result<(), Gone> {
        self.items.blocking_send(item).map_err(|_| Gone)
    }

    /// The same for whoever does not block.
    pub async fn tell(&self, item: T) -> Result<(), Gone> {
        self.items.send(item).await.map_err(|_| Gone)
    }

    /// Tells that there is nothing more, and how it ended. Nobody may want to know.
    pub fn end(self, how: Result<(), E>) {
        // First the stream ends, then its future.
        drop(self.items);
        _ = self.end.send(how);
    }
}

/// The items, and how they ended, as a guest has them.
pub(crate) type Readers<T, E> = (StreamReader<T>, FutureReader<Result<(), E>>);

/// What is told.
pub(crate) struct Rows<T, E> {
    pub items: mpsc::Receiver<T>,
    pub end: oneshot::Receiver<Result<(), E>>,
}

impl<T, E> Rows<T, E>
where
    T: Lower + Lift + Send + Sync + 'static,
    E: Lower + Lift + Send + Sync + 'static,
{
    /// Hands them to a guest.
    pub fn readers<S: wasmtime::AsContextMut>(
        self,
        mut store: S,
    ) -> wasmtime::Result<Readers<T, E>> {
        let items = StreamReader::new(&mut store, Producer(self.items))?;
        let end = FutureReader::new(&mut store, self.end)?;
        Ok((items, end))
    }
}

/// Gives an item a read, as in Spin.
struct Producer<T>(mpsc::Receiver<T>);

impl<D, T: Send + Sync + 'static> StreamProducer<D> for Producer<T> {
    type Item = T;
    type Buffer = Option<T>;

    fn poll_produce(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        store: StoreContextMut<'_, D>,
        mut destination: Destination<'_, T, Option<T>>,
        finish: bool,
    ) -> Poll<wasmtime::Result<StreamResult>> {
        // A read of no items asks whether there are some, which only a read can tell.
        if destination.remaining(store) == Some(0) {
            return Poll::Ready(Ok(StreamResult::Completed));
        }
        let read = self.0.poll_recv(context);
        if read.is_pending() && finish {
            return Poll::Ready(Ok(StreamResult::Cancelled));
        }
        Poll::Ready(Ok(match ready!(read) {
            Some(item) => {
                destination.set_buffer(Some(item));
                StreamResult::Completed
            }
            None => StreamResult::Dropped,
        }))
    }
}
