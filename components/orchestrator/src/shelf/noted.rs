//! Notes of what was begun, and what keys of senders mean, which is written with them.
//!
//! Border: where a note stands, and for how long, is decided in `quarry-journal`; who is told of what stands there, in `again`
//! and `senders_key`.

use super::{Home, Shelf, ShelfError, logs, shared};
use crate::beside::Beside;
use crate::senders_key::Meaning;
use quarry_journal::Place;
use quarry_rim::database::Value;
use quarry_schema::slot;
use quarry_types::AskId;

impl Shelf {
    /// Notes this log as what was begun, in the first of two logs where these are given, and with it what a key of its
    /// sender's means from now on; whether it did. Not where either has such a note, nor where the key means another
    /// request. In one statement, where SQLite is to be had.
    pub async fn note_first(
        &self,
        note: Option<[AskId; 2]>,
        means: Option<&Meaning>,
    ) -> Result<bool, ShelfError> {
        let Home::Sqlite(database) = shared().await? else {
            let is_noted = self.is_free(means).await? && self.claim_first(note).await?;
            if is_noted {
                self.mean(means).await?;
            }
            return Ok(is_noted);
        };
        let id: Value = self.id.to_string().into();
        let values = [id].into_iter().chain(logs(note)).chain(Meaning::values(means));
        Ok(!self.run(&database, slot::NOTE, values).await?.is_empty())
    }

    /// Nothing was begun after all: its note in this other log goes, and what a key means by it alone.
    pub async fn undo(&self, noted_in: AskId) -> Result<(), ShelfError> {
        let Home::Sqlite(database) = shared().await? else {
            self.unnote(noted_in).await?;
            return self.remove(Place::Keyed).await;
        };
        let values = [noted_in, self.id].map(|log| log.to_string().into());
        self.run(&database, slot::UNDO, values).await?;
        Ok(())
    }

    /// Takes its note out of this other log; another's stays.
    pub async fn unnote(&self, noted_in: AskId) -> Result<(), ShelfError> {
        let noted = self.of(noted_in);
        if noted.get(Place::Begun).await?.as_deref() == Some(self.id.to_string().as_bytes()) {
            noted.remove(Place::Begun).await?;
        }
        Ok(())
    }

    /// The request that a key of its sender's means, as that is kept.
    pub async fn meant(&self, means: &Meaning) -> Result<Option<String>, ShelfError> {
        let Home::Sqlite(database) = shared().await? else {
            for log in means.logs {
                if let Some((request, _)) = self.of(log).asked().await? {
                    return Ok(Some(request));
                }
            }
            return Ok(None);
        };
        let [key, _, caller] = Meaning::values(Some(means));
        let rows = self.run(&database, slot::MEANT, [key, caller]).await?;
        Ok(rows.into_iter().next().and_then(|row| match row.values.into_iter().next() {
            Some(Value::Text(request)) => Some(request),
            _ => None,
        }))
    }

    /// A place in key-value, with its note and what stands beside it for a later try. Who dies between two of these has
    /// taken no key: that is written last.
    pub(super) async fn search_noted(
        &self,
        places: u32,
        note: Option<[AskId; 2]>,
        beside: &Beside,
    ) -> Result<Option<u32>, ShelfError> {
        let means = beside.means();
        if !self.is_free(means).await? || !self.claim_first(note).await? {
            return Ok(None);
        }
        let found = self.search(places).await?;
        match (found, note) {
            // What could not be written is tried once more by whoever has the place, and gives it back.
            (Some(_), _) => {
                if self.mean(means).await.is_ok() {
                    beside.mark_meant();
                }
            }
            (None, Some([log, _])) => self.of(log).remove(Place::Begun).await?,
            (None, None) => {}
        }
        Ok(found)
    }

    fn of(&self, id: AskId) -> Shelf {
        Shelf { id, ..self.clone() }
    }

    async fn claim_first(&self, note: Option<[AskId; 2]>) -> Result<bool, ShelfError> {
        let Some([log, other]) = note else { return Ok(true) };
        let [log, other] = [log, other].map(|log| self.of(log));
        let is_free = !log.has(Place::Begun).await? && !other.has(Place::Begun).await?;
        if is_free {
            log.set(Place::Begun, self.id.to_string().as_bytes()).await?;
        }
        Ok(is_free)
    }

    async fn is_free(&self, means: Option<&Meaning>) -> Result<bool, ShelfError> {
        let Some(means) = means else { return Ok(true) };
        Ok(self.meant(means).await?.is_none_or(|request| request == means.request))
    }

    async fn mean(&self, means: Option<&Meaning>) -> Result<(), ShelfError> {
        let Some(Meaning { request, logs: [log, _], .. }) = means else { return Ok(()) };
        self.set(Place::Keyed, b"").await?;
        let (id, meant) = (self.id, self.of(*log));
        // Those before it mean the same, and stand where nothing comes of this one.
        let earlier = meant.asked().await?.map(|(_, asks)| asks).unwrap_or_default();
        let asks = earlier.into_iter().filter(|earlier| *earlier != id).chain([id]);
        let words = [request.clone()].into_iter().chain(asks.map(|ask| ask.to_string()));
        meant.set(Place::Asked, words.collect::<Vec<_>>().join(" ").as_bytes()).await
    }

    /// What a key means in key-value, as long as a log lasts that was begun with it, and whose logs do.
    async fn asked(&self) -> Result<Option<(String, Vec<AskId>)>, ShelfError> {
        let Some(asked) = self.get(Place::Asked).await? else { return Ok(None) };
        let asked = String::from_utf8_lossy(&asked);
        let mut words = asked.split(' ');
        let request = words.next().unwrap_or_default().to_owned();
        let mut asks = Vec::new();
        for ask in words.filter_map(AskId::parse) {
            if self.of(ask).has(Place::Keyed).await? {
                asks.push(ask);
            }
        }
        Ok((!asks.is_empty()).then_some((request, asks)))
    }
}
