//! Why a store did not do what was asked.

use quarry_rim::database::DatabaseError;
use quarry_rim::store::StoreError;
use quarry_schema::trouble::Defect;

/// Why a value could not be had or kept. A retry may help.
#[derive(Debug, thiserror::Error)]
pub enum ShelfError {
    #[error(transparent)]
    KeyValue(#[from] StoreError),
    #[error(transparent)]
    Database(#[from] DatabaseError),
}

impl ShelfError {
    /// Whether others held the store for as long as it is waited for: it has done nothing then.
    pub fn is_locked(&self) -> bool {
        matches!(self, ShelfError::Database(error) if error.is_locked())
    }

    /// What somebody has to mend before another try helps.
    pub fn defect(&self) -> Option<Defect> {
        match self {
            ShelfError::Database(error) => error.defect(),
            ShelfError::KeyValue(StoreError::Failed(why)) => Defect::of(why),
            ShelfError::KeyValue(StoreError::NotGranted | StoreError::TooLarge(_)) => None,
        }
    }

    /// Whether there is no store at all: another try will not help.
    pub const fn is_for_good(&self) -> bool {
        matches!(self, ShelfError::KeyValue(StoreError::NotGranted))
    }
}
