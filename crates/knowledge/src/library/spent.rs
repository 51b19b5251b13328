//! What was paid for vectors: by whoever has them, and by whoever failed. It is told once, and stays in the sums of its
//! collection.
//!
//! Border: sums; what is paid for is decided in `embedded`.

use super::{Done, Embedded, Library, LibraryError, Store, record};
use crate::intake::CollectionName;
use quarry_schema::embedding as statements;
use quarry_types::text;
use std::fmt;

/// What vectors cost.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spent {
    /// `provider:name`.
    pub model: String,
    /// Tokens that were paid for.
    pub tokens: u64,
    /// US dollars; none: no price is known.
    pub cost: Option<f64>,
}

impl Spent {
    /// Nothing yet.
    pub(super) fn nothing(model: &str) -> Spent {
        Spent { model: model.to_owned(), tokens: 0, cost: Some(0.0) }
    }

    pub(super) fn pay(&mut self, embedded: &Embedded) {
        self.tokens += embedded.tokens;
        self.cost = self.cost.zip(embedded.cost).map(|(sum, more)| sum + more);
    }
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", text::count(self.tokens, "token", "tokens"), self.model)?;
        match self.cost {
            Some(cost) => write!(f, " for {} US dollars", text::dollars(cost, 6)),
            None => f.write_str(", of which no price is known,"),
        }
    }
}

/// What a request has paid.
#[derive(Debug, Default)]
pub(super) struct Account {
    /// What nobody was told of yet; none: nothing was to be embedded.
    untold: Option<Spent>,
    /// What is not in the sums of its collection yet.
    unkept: Option<Unkept>,
}

#[derive(Debug, Clone)]
struct Unkept {
    collection: CollectionName,
    model: String,
    tokens: u64,
    nano_usd: u64,
    unpriced: u32,
}

impl Unkept {
    fn pay(&mut self, embedded: &Embedded) {
        self.tokens += embedded.tokens;
        self.nano_usd += embedded.cost.map_or(0, nano);
        self.unpriced += u32::from(embedded.cost.is_none());
    }
}

impl<S: Store> Library<'_, S> {
    /// Something is to be embedded: what it costs is told, if it is nothing.
    pub(super) fn opens_account(&self, model: &str) {
        self.account.borrow_mut().untold.get_or_insert_with(|| Spent::nothing(model));
    }

    /// Notes what was paid, before anything can fail: for whoever paid it, and in the sums of the collection.
    pub(super) async fn pays(&self, name: &CollectionName, model: &str, embedded: &Embedded) {
        self.opens_account(model);
        {
            let Account { untold, unkept } = &mut *self.account.borrow_mut();
            untold.iter_mut().for_each(|untold| untold.pay(embedded));
            let blank = || Unkept {
                collection: name.clone(),
                model: model.to_owned(),
                tokens: 0,
                nano_usd: 0,
                unpriced: 0,
            };
            unkept.get_or_insert_with(blank).pay(embedded);
        }
        self.keep_costs().await;
    }

    /// Brings into the collection's sums what is not there yet. Where the database is gone, the next payment or the
    /// end of the request tries again.
    async fn keep_costs(&self) {
        let Some(unkept) = self.account.borrow_mut().unkept.take() else { return };
        let values = [
            self.owner.as_str().into(),
            unkept.collection.as_str().into(),
            unkept.model.as_str().into(),
            unkept.tokens.into(),
            unkept.nano_usd.into(),
            unkept.unpriced.into(),
        ];
        if self.run(statements::PAY, values).await.is_err() {
            self.account.borrow_mut().unkept = Some(unkept);
        }
    }

    /// Tokens that were paid for so far.
    pub(super) fn paid_tokens(&self) -> u64 {
        self.account.borrow().untold.as_ref().map_or(0, |spent| spent.tokens)
    }

    /// What was paid, for whoever is told now; none: nothing was to be embedded.
    pub(super) async fn spent(&self) -> Option<Spent> {
        self.keep_costs().await;
        self.account.borrow_mut().untold.take()
    }

    /// The same error, with what was paid before it.
    pub(super) async fn behind(&self, error: LibraryError) -> LibraryError {
        match self.spent().await.filter(|spent| *spent != Spent::nothing(&spent.model)) {
            Some(spent) => LibraryError::Paid { error: Box::new(error), spent },
            None => error,
        }
    }

    /// What was paid for the vectors of a collection, by model.
    pub(super) async fn paid_by(&self, collection: u64) -> Done<Vec<Spent>> {
        let packed = self.text(statements::PAID, [collection.into()]).await?;
        let packed: Vec<(String, u64, u64, u64)> = record::unpack(packed)?;
        let spent = packed.into_iter().map(|(model, tokens, nano_usd, unpriced)| Spent {
            model,
            tokens,
            cost: (unpriced == 0).then(|| usd(nano_usd)),
        });
        Ok(spent.collect())
    }
}

fn nano(usd: f64) -> u64 {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to a range that fits"
    )]
    let nano = (usd * 1e9).round().clamp(0.0, 1e18) as u64;
    nano
}

#[expect(clippy::cast_precision_loss, reason = "a sum needs no more digits")]
fn usd(nano: u64) -> f64 {
    nano as f64 / 1e9
}
