//! Which documents are searched where a search names none.

use quarry_tools::Sources;
use quarry_types::CollectionName;

/// A request names a collection and has no documents searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("names a collection, but no documents are searched; add \"knowledge\" to sources")]
pub struct NoDocuments;

impl NoDocuments {
    /// The field of the request that cannot be used.
    pub const FIELD: &'static str = "collection";

    /// Whether a collection may be named where this is searched.
    ///
    /// # Errors
    /// [`NoDocuments`] where one is named of which nothing would be found.
    pub const fn check(
        collection: Option<&CollectionName>,
        sources: Sources,
    ) -> Result<(), NoDocuments> {
        match collection {
            Some(_) if !sources.knowledge => Err(NoDocuments),
            Some(_) | None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collection_is_named_only_where_documents_are_searched() {
        let boats = CollectionName::read(Some("boats")).unwrap();
        for (knowledge, named, refused) in
            [(false, true, true), (true, true, false), (false, false, false), (true, false, false)]
        {
            let sources = Sources { web: true, knowledge, program: true };
            let checked = NoDocuments::check(named.then_some(&boats), sources);
            assert_eq!(checked.is_err(), refused, "{knowledge} {named}");
        }
        let words = NoDocuments.to_string();
        assert!(words.ends_with("; add \"knowledge\" to sources"), "{words}");
    }
}
