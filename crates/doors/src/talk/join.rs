//! By what a request is known when its client sends it again, or asks for what it began.
//!
//! Border: heads and what bodies say in, hashes out. A key tells nothing of what was asked, nor by whom.

use quarry_admission::Caller;
use quarry_admission::shared::continuation_key;

use super::{Gist, ids};
use crate::order::{Join, Manners, Seeks};
use crate::{Head, Hidden};

/// Characters of a key that nobody guesses, as `POST /runs` wants them of whoever has no account. With a shorter one, who
/// proves nothing is known by where it comes from, too: others may number theirs alike.
const UNGUESSED: usize = 16;

/// What the gate found proven of whoever sent a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sender<'s> {
    /// It is known by this account.
    Account(&'s str),
    /// It knows the operator's secret.
    Secret,
    /// Nothing: what it shows may be shown by anybody.
    Anybody,
}

impl<'s> Sender<'s> {
    /// Whoever the gate let in.
    #[must_use]
    pub fn of(caller: &'s Caller) -> Sender<'s> {
        match &caller.email {
            Some(email) => Sender::Account(email),
            None if caller.knows_secret => Sender::Secret,
            None => Sender::Anybody,
        }
    }
}

/// By what is known what its sender gave a name, or found by one: by its account, by the operator's secret, or by what it
/// shows and where it is. Printed, it shows no secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnName {
    key: String,
    /// A hash of what has the name: a body may be long.
    what: String,
    /// What its sender shows; the last is a key that pays.
    shown: [Option<Hidden>; 3],
}

impl OwnName {
    /// Of what these say together. `from` is where its sender is, where that counts.
    fn of(head: &Head, from: &str, what: &[&[u8]]) -> OwnName {
        let shown = [&head.authorization, &head.plain_key, &head.provider_key].map(Clone::clone);
        let mut name = OwnName { key: String::new(), what: hash(what), shown };
        name.key = name.shown_from(from);
        name
    }

    /// The key, by what is known of its sender so far.
    #[must_use]
    pub fn key(&self) -> String {
        self.key.clone()
    }

    /// The key, where this is known of its sender: neither a token that was renewed nor another address makes another
    /// name of whoever has an account, nor another address of whoever knows the operator's secret.
    #[must_use]
    pub fn by(&self, sender: Sender<'_>) -> String {
        match sender {
            Sender::Account(email) => {
                let [.., paying] = &self.shown;
                let paying = bytes(paying.as_ref());
                hash(&[b"known", email.as_bytes(), paying, self.what.as_bytes()])
            }
            Sender::Secret => self.shown_from("anywhere"),
            Sender::Anybody => self.key.clone(),
        }
    }

    /// From now on it is the name of a sender of which this is known.
    pub(crate) fn prove(&mut self, sender: Sender<'_>) {
        self.key = self.by(sender);
    }

    fn shown_from(&self, from: &str) -> String {
        let [by, or_by, paying] = self.shown.each_ref().map(|key| bytes(key.as_ref()));
        hash(&[b"shown", by, or_by, paying, from.as_bytes(), self.what.as_bytes()])
    }
}

/// A key that a sender gave its request, whatever is asked with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenKey {
    name: OwnName,
    /// Whether others may have chosen the same for theirs.
    is_guessable: bool,
}

impl GivenKey {
    /// Under which it means one request, of a sender of whom this is known. None: others may have given the same key to
    /// theirs, and cannot be told from this one, so it counts together with what is asked alone.
    fn by(&self, sender: Sender<'_>) -> Option<String> {
        let is_its_own = !self.is_guessable || matches!(sender, Sender::Account(_));
        is_its_own.then(|| self.name.by(sender))
    }
}

impl Manners {
    /// What is begun is known by this name.
    pub(crate) fn named(&mut self, name: OwnName, seeks: Seeks) {
        self.join = Some(Join { key: name.key(), seeks, says_so: false, own: None });
        self.sent_as = Some(name);
        self.keyed = None;
    }

    /// What is begun is known by its request, which its client may send again. Clients that say so with a key of their
    /// own are believed; OpenAI's only count their tries, and others not even that, so who asks, from where, and what,
    /// is the key.
    pub(crate) fn sent(&mut self, head: &Head, gist: &Gist) {
        let path = head.path.as_bytes();
        if let Some(named) = own_key(head) {
            let is_guessable = named.chars().count() < UNGUESSED;
            let from = if is_guessable { from(head) } else { "" };
            let asked = gist.asked();
            let what = [b"named".as_slice(), path, named.as_bytes(), asked.as_bytes()];
            let name = OwnName::of(head, from, &what);
            self.named(name, Seeks::Anything);
            // What it is for is asked once: with something else it is a mistake of its sender's.
            let name = OwnName::of(head, from, &[b"key", path, named.as_bytes()]);
            self.has_key(GivenKey { name, is_guessable });
            return self.says_so();
        }
        let is_counted = head.retries.is_some_and(|retries| retries > 0);
        let seeks = if is_counted { Seeks::Anything } else { Seeks::Unfinished };
        self.named(OwnName::of(head, from(head), &[b"counted", path, gist.as_bytes()]), seeks);
        if is_counted {
            self.says_so();
        }
    }

    /// Its sender gave it this key.
    fn has_key(&mut self, key: GivenKey) {
        if let Some(join) = &mut self.join {
            join.own = key.by(Sender::Anybody);
        }
        self.keyed = Some(key);
    }

    /// That it came before is said by what can be left out.
    const fn says_so(&mut self) {
        if let Some(join) = &mut self.join {
            join.says_so = true;
        }
    }

    /// This is known of its sender.
    pub fn sent_by(&mut self, sender: Sender<'_>) {
        if let (Some(join), Some(name)) = (&mut self.join, &self.sent_as) {
            join.key = name.by(sender);
            join.own = self.keyed.as_ref().and_then(|key| key.by(sender));
        }
        for name in [&mut self.finds, &mut self.called].into_iter().flatten() {
            name.prove(sender);
        }
    }

    /// What is begun goes on with this ask. None of those who want that at the same time and ask the same begins a second
    /// one, whichever door they come through; whether they do only that ask can tell.
    pub(crate) fn goes_on_from(&mut self, ask: &str) {
        let key = continuation_key(ask);
        self.join = Some(Join { key, seeks: Seeks::Anything, says_so: false, own: None });
        (self.sent_as, self.keyed) = (None, None);
    }
}

/// By what a client itself says that it sends the same again.
pub(crate) fn own_key(head: &Head) -> Option<&str> {
    head.idempotency_key.as_deref().map(str::trim).filter(|key| !key.is_empty())
}

/// By what an ask is known to which its protocol gives these names. Clients choose such names, some of them the
/// same, and show what they like where nothing is wanted of them, such as the same word for a key that a library insists
/// on: so who proves nothing is known by where it comes from, too.
pub(crate) fn named(head: &Head, protocol: &str, names: &[&[u8]]) -> OwnName {
    OwnName::of(head, from(head), &[[protocol.as_bytes()].as_slice(), names].concat())
}

/// The address of whoever asks, without the port: each try is a connection of its own.
fn from(head: &Head) -> &str {
    let from = head.client_address.as_deref().unwrap_or_default();
    from.rsplit_once(':').map_or(from, |(address, _)| address)
}

fn bytes(key: Option<&Hidden>) -> &[u8] {
    key.map_or(b"".as_slice(), |Hidden(text)| text.as_bytes())
}

fn hash(parts: &[&[u8]]) -> String {
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

    fn gist(body: &[u8]) -> Gist {
        Gist::of(&crate::talk::object(body).unwrap())
    }

    fn sent(head: &Head, body: &[u8]) -> Manners {
        let mut manners = Manners::default();
        manners.sent(head, &gist(body));
        manners
    }

    fn again(head: &Head, body: &[u8]) -> Join {
        sent(head, body).join.unwrap()
    }

    fn of(email: &str, head: &Head, body: &[u8]) -> String {
        sent(head, body).sent_as.unwrap().by(Sender::Account(email))
    }

    #[test]
    fn a_counted_retry_is_the_request_that_it_repeats() {
        let tried = |retries, body: &[u8]| again(&Head { retries, ..head() }, body);
        let [uncounted, first, second] = [None, Some(0), Some(1)].map(|count| tried(count, b"{}"));
        // Whoever does not count may be a client that tries again, or somebody who asks again.
        assert_eq!((uncounted.seeks, first.seeks), (Seeks::Unfinished, Seeks::Unfinished));
        assert_eq!(second.seeks, Seeks::Anything);
        assert_eq!([&uncounted, &first, &second].map(|it| it.says_so), [false, false, true]);
        assert!(again(&Head { idempotency_key: Some("k".into()), ..head() }, b"{}").says_so);
        assert!(first.key == second.key && first.key == uncounted.key);
        assert_ne!(first.key, tried(Some(1), br#"{"a":1}"#).key);
        assert_eq!(first.key, tried(Some(1), b"{ }").key, "written anew");
        for other in [
            Head { authorization: Some(Hidden("Bearer b".into())), retries: Some(1), ..head() },
            Head { client_address: Some("192.0.2.8:4000".into()), retries: Some(1), ..head() },
            Head { path: "/v1/responses".into(), retries: Some(1), ..head() },
        ] {
            assert_ne!(again(&other, b"{}").key, first.key, "{other:?}");
        }
        // Each try is a connection of its own.
        let moved = Head { client_address: Some("192.0.2.7:9".into()), retries: Some(1), ..head() };
        assert_eq!(again(&moved, b"{}").key, first.key);
    }

    #[test]
    fn who_is_known_may_move_between_two_tries() {
        let at = |address: &str, retries| {
            let client_address = Some(address.to_owned());
            sent(&Head { client_address, retries: Some(retries), ..head() }, b"{}")
        };
        let (here, there) = (at("192.0.2.7:4000", 0), at("198.51.100.9:1", 1));
        assert_ne!(here.join, there.join, "who is not known is known by where it is");
        let by = |manners: &Manners, sender| {
            let mut manners = manners.clone();
            manners.sent_by(sender);
            manners.join.unwrap().key
        };
        for sender in [Sender::Account("ada@example.com"), Sender::Secret] {
            assert_eq!(by(&here, sender), by(&there, sender), "{sender:?}");
            assert_ne!(by(&here, sender), by(&here, Sender::Anybody), "{sender:?}");
        }
        // What it shows counts where that is what it proves.
        let other = Head { authorization: Some(Hidden("Bearer b".into())), ..head() };
        assert_ne!(by(&here, Sender::Secret), by(&sent(&other, b"{}"), Sender::Secret));
    }

    #[test]
    fn what_goes_on_is_known_by_what_it_goes_on_with() {
        let mut request = crate::talk::request(
            crate::talk::Talk::default(),
            "quarry",
            crate::talk::Extension::default().wanted("quarry").unwrap(),
        );
        let mut keys = Vec::new();
        for (path, ask) in [("/v1/responses", "0af3"), ("/agui", "0af3"), ("/agui", "0af4")] {
            request.manners.sent(&Head { path: path.into(), ..head() }, &gist(b"{}"));
            request.manners.goes_on_from(ask);
            request.manners.sent_by(Sender::Account("ada@example.com"));
            request.manners.sent_by(Sender::Secret);
            keys.push(request.manners.join.take().unwrap());
        }
        assert_eq!((&keys[0], keys[0].seeks), (&keys[1], Seeks::Anything));
        assert_ne!(keys[1].key, keys[2].key);
    }

    #[test]
    fn a_key_of_the_clients_is_believed_for_the_same_question() {
        let keyed = |key: &str, body: &[u8]| {
            let head = Head { idempotency_key: Some(key.into()), retries: Some(0), ..head() };
            again(&head, body)
        };
        let one = keyed("k", b"{}");
        assert_eq!(one.seeks, Seeks::Anything);
        assert_eq!(one, keyed(" k ", b"{}"));
        assert_ne!(one.key, keyed("k", br#"{"a":1}"#).key);
        assert_ne!(one.key, keyed("l", b"{}").key);
        assert_eq!(one.key.len(), 64);
    }

    /// The key that whoever sends this gave it, of a sender of whom this is known.
    fn given(head: &Head, body: &[u8], sender: Sender<'_>) -> Option<String> {
        let mut manners = sent(head, body);
        manners.sent_by(sender);
        manners.join.unwrap().own
    }

    const ADA: Sender<'static> = Sender::Account("ada@example.com");

    #[test]
    fn a_key_of_the_clients_is_its_senders_whatever_is_asked_with_it() {
        let head = Head { idempotency_key: Some("k".repeat(UNGUESSED)), ..head() };
        let (other, nobody) = (br#"{"a":1}"#, Sender::Anybody);
        for sender in [nobody, Sender::Secret, ADA] {
            let one = given(&head, b"{}", sender);
            assert_eq!(one.as_ref().unwrap().len(), 64);
            assert_eq!(given(&head, other, sender), one, "{sender:?}");
            for apart in [
                Head { idempotency_key: Some("l".repeat(UNGUESSED)), ..head.clone() },
                Head { path: "/v1/responses".into(), ..head.clone() },
                Head { provider_key: Some(Hidden("k".into())), ..head.clone() },
            ] {
                assert_ne!(given(&apart, b"{}", sender), one, "{apart:?}");
            }
        }
        assert_ne!(given(&head, b"{}", ADA), given(&head, b"{}", Sender::Account("bob@x.test")));
        assert_ne!(given(&head, b"{}", ADA), given(&head, b"{}", nobody));
        let renewed = Head { authorization: Some(Hidden("Bearer b".into())), ..head.clone() };
        assert_eq!(given(&renewed, other, ADA), given(&head, b"{}", ADA));
        let moved = Head { client_address: Some("192.0.2.8:4000".into()), ..head.clone() };
        assert_eq!(given(&moved, b"{}", nobody), given(&head, b"{}", nobody));
        // It is none of what leads to an ask, and whoever counts or goes on with an ask has none.
        assert_ne!(given(&head, b"{}", nobody), Some(again(&head, b"{}").key));
        assert_eq!(given(&Head { idempotency_key: None, ..head.clone() }, b"{}", nobody), None);
        let mut manners = sent(&head, b"{}");
        manners.goes_on_from("0af3");
        manners.sent_by(ADA);
        assert_eq!(manners.join.unwrap().own, None);
    }

    #[test]
    fn a_key_that_others_may_count_alike_is_its_senders_only_where_an_account_tells_who_that_is() {
        let head = Head { idempotency_key: Some("1".into()), ..head() };
        for sender in [Sender::Anybody, Sender::Secret] {
            assert_eq!(given(&head, b"{}", sender), None, "{sender:?}");
        }
        assert_eq!(again(&head, b"{}").own, None, "before anything is known of its sender");
        let one = given(&head, b"{}", ADA);
        assert!(one.is_some() && given(&head, br#"{"a":1}"#, ADA) == one);
        assert_ne!(given(&head, b"{}", Sender::Account("bob@x.test")), one);
        // With the same body it is the same request, of whoever it is.
        assert_eq!(again(&head, b"{}").key, again(&head, b"{ }").key);
        assert_ne!(again(&head, b"{}").key, again(&head, br#"{"a":1}"#).key);
    }

    #[test]
    fn a_key_means_what_is_asked_however_that_is_told() {
        let told = |more: &str| format!(r#"{{"a":1{more}}}"#).into_bytes();
        let manners =
            ["", r#","stream":true"#, r#","stream":false,"stream_options":{"include_usage":true}"#];
        let [plain, streamed, with_options] = manners.map(told);
        let keyed = Head { idempotency_key: Some("k".into()), ..head() };
        let one = again(&keyed, &plain);
        assert_eq!(
            [&streamed, &with_options].map(|body| again(&keyed, body)),
            [(); 2].map(|()| one.clone())
        );
        assert_ne!(again(&keyed, br#"{"a":2,"stream":true}"#).key, one.key);
        // Who gave none and wants another form is not known to be the same.
        assert_ne!(again(&head(), &streamed).key, again(&head(), &plain).key);
    }

    #[test]
    fn who_is_known_may_renew_its_token_between_two_tries() {
        let with = |token: &str, retries, body: &[u8]| {
            let head = Head {
                authorization: Some(Hidden(token.into())),
                retries: Some(retries),
                ..head()
            };
            (again(&head, body).key, of("ada@example.com", &head, body))
        };
        let (shown, first) = with("Bearer a", 0, b"{}");
        let (other, second) = with("Bearer b", 1, b"{}");
        assert_ne!(shown, other, "by what it shows it is another");
        assert_eq!(first, second);
        // Of two askers, and of two questions, it is never the same.
        assert_ne!(first, of("bob@example.com", &head(), b"{}"));
        assert_ne!(first, with("Bearer a", 0, br#"{"a":1}"#).1);
        let paying = Head { provider_key: Some(Hidden("k".into())), ..head() };
        assert_ne!(first, of("ada@example.com", &paying, b"{}"));
    }

    #[test]
    fn names_belong_to_a_protocol_and_to_who_gave_them() {
        let names: [&[u8]; 2] = [b"a", b"b"];
        let one = named(&head(), "chat", &names);
        let elsewhere = Head { path: "/elsewhere".into(), ..head() };
        assert_eq!(one, named(&elsewhere, "chat", &names));
        let of = |head: &Head| named(head, "chat", &names);
        let one = one.key();
        let named = |head: &Head, protocol: &str, names: &[&[u8]]| {
            super::named(head, protocol, names).key()
        };
        assert_ne!(one, named(&head(), "run", &names));
        assert_ne!(one, named(&head(), "chat", &[b"ab", b""]));
        assert_ne!(one, named(&Head::default(), "chat", &names));
        // Who proves who it is may move. A word that everybody sends proves nothing.
        let moved = |head| Head { client_address: Some("192.0.2.8:4000".into()), ..head };
        assert_ne!(one, named(&moved(head()), "chat", &names));
        for sender in [Sender::Secret, Sender::Account("ada@example.com")] {
            assert_eq!(of(&head()).by(sender), of(&moved(head())).by(sender), "{sender:?}");
            assert_ne!(of(&head()).by(sender), of(&head()).by(Sender::Anybody), "{sender:?}");
        }
        let other = Head { authorization: Some(Hidden("Bearer b".into())), ..head() };
        assert_ne!(of(&head()).by(Sender::Secret), of(&other).by(Sender::Secret));
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
        assert_ne!(old.key(), new.key(), "by what it shows it is another");
        let ada = Sender::Account("ada@example.com");
        assert_eq!(old.by(ada), new.by(ada));
        // Neither another account, nor another protocol, nor whoever is not known, nor whoever pays otherwise.
        assert_ne!(old.by(ada), old.by(Sender::Account("bob@example.com")));
        assert_ne!(old.by(ada), name(&with("Bearer a"), "agui").by(ada));
        assert_ne!(old.by(ada), old.by(Sender::Anybody));
        let paying = Head { provider_key: Some(Hidden("k".into())), ..with("Bearer a") };
        assert_ne!(old.by(ada), name(&paying, "ui").by(ada));
        // A request that is begun by such a name is found by it.
        let mut request = crate::talk::request(
            crate::talk::Talk::default(),
            "quarry",
            crate::talk::Extension::default().wanted("quarry").unwrap(),
        );
        request.manners.named(old.clone(), Seeks::Anything);
        request.manners.finds = Some(old.clone());
        request.manners.sent_by(ada);
        // Its door names each request: nothing that says so can be left out.
        let join = Join { key: new.by(ada), seeks: Seeks::Anything, says_so: false, own: None };
        assert_eq!(request.manners.join, Some(join));
        assert_eq!(request.manners.finds.unwrap().key(), new.by(ada));
    }
}
