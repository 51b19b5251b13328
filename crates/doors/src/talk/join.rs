//! By what a request is known when its client sends it again, or asks for what it began.
//!
//! Border: heads and bytes in, hashes out. A key tells nothing of what was asked, nor by whom.

use super::ids;
use crate::order::{Join, Manners};
use crate::{Head, Hidden};

/// By what is known what its sender gave a name, or found by one: by what the sender shows, or by its account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnName {
    shown: String,
    unsigned: String,
}

impl OwnName {
    /// The key, where the gate knows its sender by this account, or by none.
    #[must_use]
    pub fn by(&self, email: Option<&str>) -> String {
        email.map_or_else(|| self.shown.clone(), |email| signed(&self.unsigned, email))
    }
}

impl Manners {
    /// What is begun is known by this name; `looks` is whether there may be an earlier one.
    pub(crate) fn named(&mut self, name: OwnName, looks: bool) {
        self.join = Some(Join { key: name.shown, looks });
        self.unsigned_join = Some(name.unsigned);
    }
}

/// By what the same request is known when its client sends it again. Clients that say so with a key of their own are
/// believed; OpenAI's only count their tries, so who asks, from where, and what, is the key.
pub(crate) fn again(head: &Head, body: &[u8]) -> Option<Join> {
    let (parts, looks) = parts(head, body)?;
    Some(Join { key: key(head, &parts), looks })
}

/// The same without what of its sender may be renewed between two tries: for whoever is known otherwise by then.
pub(crate) fn unsigned(head: &Head, body: &[u8]) -> Option<String> {
    let (parts, _) = parts(head, body)?;
    Some(unsigned_key(head, &parts))
}

fn unsigned_key(head: &Head, parts: &[&[u8]]) -> String {
    let paying = head.provider_key.as_ref().map_or("", |Hidden(text)| text.as_str());
    hash([paying.as_bytes()].into_iter().chain(parts.iter().copied()))
}

/// The key of a request without what was renewed, by whoever the gate knows to have sent it.
pub(crate) fn signed(unsigned: &str, email: &str) -> String {
    hash([b"known".as_slice(), email.as_bytes(), unsigned.as_bytes()])
}

/// What makes two requests the same, and whether there may be an earlier one.
fn parts<'h>(head: &'h Head, body: &'h [u8]) -> Option<([&'h [u8]; 4], bool)> {
    let path = head.path.as_bytes();
    let named = head.idempotency_key.as_deref().map(str::trim).filter(|key| !key.is_empty());
    if let Some(named) = named {
        // The same key for another question means that question, too.
        return Some(([b"named", path, named.as_bytes(), body], true));
    }
    let looks = head.retries? > 0;
    Some(([b"counted", path, from(head).as_bytes(), body], looks))
}

/// By what an ask is known to which its protocol gives these names. Clients choose such names, some of them the
/// same, so whoever shows nothing of itself is known by where it comes from, too.
pub(crate) fn named(head: &Head, protocol: &str, names: &[&[u8]]) -> OwnName {
    let is_known = [&head.authorization, &head.plain_key, &head.provider_key]
        .into_iter()
        .any(|shown| shown.as_ref().is_some_and(|Hidden(text)| !text.is_empty()));
    let from = if is_known { "" } else { from(head) };
    let mut parts = vec![protocol.as_bytes(), from.as_bytes()];
    parts.extend_from_slice(names);
    let shown = key(head, &parts);
    // Who is known has its names wherever it is.
    let mut parts = vec![protocol.as_bytes()];
    parts.extend_from_slice(names);
    OwnName { shown, unsigned: unsigned_key(head, &parts) }
}

/// The address of whoever asks, without the port: each try is a connection of its own.
fn from(head: &Head) -> &str {
    let from = head.client_address.as_deref().unwrap_or_default();
    from.rsplit_once(':').map_or(from, |(address, _)| address)
}

/// A hash of who asks, and of these.
fn key(head: &Head, parts: &[&[u8]]) -> String {
    let by =
        |key: &Option<Hidden>| key.as_ref().map_or("", |Hidden(text)| text.as_str()).to_owned();
    let asker = [by(&head.authorization), by(&head.plain_key), by(&head.provider_key)];
    hash(asker.iter().map(|part| part.as_bytes()).chain(parts.iter().copied()))
}

fn hash<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> String {
    let mut all = Vec::new();
    for part in parts {
        // Each with its length in front: no two lists of parts are written alike.
        all.extend_from_slice(&part.len().to_be_bytes());
        all.extend_from_slice(part);
    }
    ids::hash(&all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head() -> Head {
        Head {
            path: "/v1/chat/completions".into(),
            authorization: Some(Hidden("Bearer a".into())),
            client_address: Some("192.0.2.7:4000".into()),
            ..Head::default()
        }
    }

    #[test]
    fn a_counted_retry_is_the_request_that_it_repeats() {
        let tried = |retries, body: &[u8]| again(&Head { retries, ..head() }, body);
        assert_eq!(tried(None, b"{}"), None, "whoever does not count is not followed");
        let first = tried(Some(0), b"{}").unwrap();
        let second = tried(Some(1), b"{}").unwrap();
        assert_eq!((first.looks, second.looks), (false, true));
        assert_eq!(first.key, second.key);
        assert_ne!(first.key, tried(Some(1), b"{ }").unwrap().key);
        for other in [
            Head { authorization: Some(Hidden("Bearer b".into())), retries: Some(1), ..head() },
            Head { client_address: Some("192.0.2.8:4000".into()), retries: Some(1), ..head() },
            Head { path: "/v1/responses".into(), retries: Some(1), ..head() },
        ] {
            assert_ne!(again(&other, b"{}").unwrap().key, first.key, "{other:?}");
        }
        // Each try is a connection of its own.
        let moved = Head { client_address: Some("192.0.2.7:9".into()), retries: Some(1), ..head() };
        assert_eq!(again(&moved, b"{}").unwrap().key, first.key);
    }

    #[test]
    fn a_key_of_the_clients_is_believed_for_the_same_question() {
        let keyed = |key: &str, body: &[u8]| {
            let head = Head { idempotency_key: Some(key.into()), retries: Some(0), ..head() };
            again(&head, body).unwrap()
        };
        let one = keyed("k", b"{}");
        assert!(one.looks);
        assert_eq!(one, keyed(" k ", b"{}"));
        assert_ne!(one.key, keyed("k", b"[]").key);
        assert_ne!(one.key, keyed("l", b"{}").key);
        assert_eq!(one.key.len(), 64);
    }

    #[test]
    fn who_is_known_may_renew_its_token_between_two_tries() {
        let with = |token: &str, retries, body: &[u8]| {
            let head = Head {
                authorization: Some(Hidden(token.into())),
                retries: Some(retries),
                ..head()
            };
            (again(&head, body).unwrap().key, unsigned(&head, body).unwrap())
        };
        let (shown, first) = with("Bearer a", 0, b"{}");
        let (other, second) = with("Bearer b", 1, b"{}");
        assert_ne!(shown, other, "by what it shows it is another");
        assert_eq!(signed(&first, "ada@example.com"), signed(&second, "ada@example.com"));
        // Of two askers, and of two questions, it is never the same.
        assert_ne!(signed(&first, "ada@example.com"), signed(&first, "bob@example.com"));
        assert_ne!(first, with("Bearer a", 0, b"[]").1);
        let paying = Head { provider_key: Some(Hidden("k".into())), retries: Some(0), ..head() };
        assert_ne!(first, unsigned(&paying, b"{}").unwrap());
        assert_eq!(unsigned(&head(), b"{}"), None, "whoever does not count is not followed");
    }

    #[test]
    fn names_belong_to_a_protocol_and_to_who_gave_them() {
        let names: [&[u8]; 2] = [b"a", b"b"];
        let one = named(&head(), "chat", &names);
        let elsewhere = Head { path: "/elsewhere".into(), ..head() };
        assert_eq!(one, named(&elsewhere, "chat", &names));
        let one = one.by(None);
        let named = |head: &Head, protocol: &str, names: &[&[u8]]| {
            super::named(head, protocol, names).by(None)
        };
        assert_ne!(one, named(&head(), "run", &names));
        assert_ne!(one, named(&head(), "chat", &[b"ab", b""]));
        assert_ne!(one, named(&Head::default(), "chat", &names));
        // Who says who it is may move.
        let moved = |head| Head { client_address: Some("192.0.2.8:4000".into()), ..head };
        assert_eq!(one, named(&moved(head()), "chat", &names));
        let nobody =
            |port| Head { client_address: Some(format!("192.0.2.7:{port}")), ..Head::default() };
        let unnamed = named(&nobody(1), "chat", &names);
        assert_eq!(unnamed, named(&nobody(2), "chat", &names));
        assert_ne!(unnamed, named(&moved(nobody(1)), "chat", &names));
    }

    #[test]
    fn who_is_known_finds_its_names_with_a_renewed_token() {
        let with = |token: &str| Head { authorization: Some(Hidden(token.into())), ..head() };
        let name = |head: &Head, protocol: &str| named(head, protocol, &[b"c1"]);
        let (old, new) = (name(&with("Bearer a"), "ui"), name(&with("Bearer b"), "ui"));
        assert_ne!(old.by(None), new.by(None), "by what it shows it is another");
        let ada = Some("ada@example.com");
        assert_eq!(old.by(ada), new.by(ada));
        // Neither another account, nor another protocol, nor whoever is not known, nor whoever pays otherwise.
        assert_ne!(old.by(ada), old.by(Some("bob@example.com")));
        assert_ne!(old.by(ada), name(&with("Bearer a"), "agui").by(ada));
        assert_ne!(old.by(ada), old.by(None));
        let paying = Head { provider_key: Some(Hidden("k".into())), ..with("Bearer a") };
        assert_ne!(old.by(ada), name(&paying, "ui").by(ada));
        // A request that is begun by such a name is found by it.
        let mut request = crate::talk::request(
            crate::talk::Talk::default(),
            "quarry",
            crate::talk::Extension::default().wanted("quarry").unwrap(),
        );
        request.manners.named(old.clone(), true);
        request.sent_by("ada@example.com");
        assert_eq!(request.manners.join, Some(Join { key: new.by(ada), looks: true }));
    }
}
