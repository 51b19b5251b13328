//! Who may call, and who may use the operator's provider keys.
//!
//! Border: decides from configuration and from an identity that was verified elsewhere.
//!
//! | configured | admitted | may use the operator's keys |
//! |---|---|---|
//! | nothing | everybody: local use | everybody |
//! | `access_secret` | who sends it | who sends it |
//! | `allowed_emails` | everybody | who signs in with a listed address |
//! | both | who sends the secret or signs in with a listed address | the same |

use crate::identity::Identity;
use crate::secret::Secret;
use crate::{Denial, EmailAddress, EmailPattern, Proof, Unproven};

/// Who asks, as far as it matters further on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Caller {
    /// From a verified ID token.
    pub email: Option<String>,
    /// From a verified ID token.
    pub name: Option<String>,
    /// Whether the operator's provider keys may be used.
    pub operator_keys: bool,
    /// Whether it proved that it knows the operator's secret.
    pub knows_secret: bool,
}

impl Caller {
    /// Who signed in, where nothing is paid for and nothing but that is asked.
    #[must_use]
    pub fn known(identity: Identity) -> Caller {
        let Identity { email, name } = identity;
        Caller { email: Some(email.to_string()), name, operator_keys: false, knows_secret: false }
    }

    /// Whether a token said who it is.
    #[must_use]
    pub const fn is_identified(&self) -> bool {
        self.email.is_some() || self.name.is_some()
    }
}

/// The operator's rules. An empty text means "not set".
#[derive(Debug, Clone)]
pub struct Access {
    secret: Option<Secret>,
    allowed: Vec<EmailPattern>,
    client_ids: Vec<String>,
}

impl Access {
    /// Reads the variables `access_secret`, `allowed_emails` and `google_client_id`.
    ///
    /// # Errors
    /// [`Denial::Misconfigured`] when the second lists what can match no address: a rule that
    /// was misspelt must not turn into another.
    pub fn read(
        access_secret: &str,
        allowed_emails: &str,
        google_client_id: &str,
    ) -> Result<Self, Denial> {
        let wrong = || {
            Denial::Misconfigured(
                "this server's allowed_emails must be addresses such as ada@example.com, or \
                 *@example.com for a domain, with commas"
                    .into(),
            )
        };
        let allowed: Option<_> = listed(allowed_emails).map(EmailPattern::parse).collect();
        Ok(Access {
            secret: Secret::read(access_secret),
            allowed: allowed.ok_or_else(wrong)?,
            client_ids: listed(google_client_id).map(str::to_owned).collect(),
        })
    }

    /// Whether the operator set an access secret.
    #[must_use]
    pub const fn has_secret(&self) -> bool {
        self.secret.is_some()
    }

    /// Whether an ID token is of use here; otherwise one that is sent goes unread.
    #[must_use]
    pub fn reads_tokens(&self) -> bool {
        !self.allowed.is_empty() || !self.client_ids.is_empty()
    }

    /// The values that the `aud` of an ID token may have.
    ///
    /// # Errors
    /// [`Denial::Misconfigured`] when the operator lists addresses but named no client id: then
    /// no token can be verified.
    pub fn audiences(&self) -> Result<&[String], Denial> {
        if self.client_ids.is_empty() {
            return Err(Denial::Misconfigured(
                "this server cannot verify Google tokens: its operator must set google_client_id"
                    .into(),
            ));
        }
        Ok(&self.client_ids)
    }

    /// Decides on a caller.
    ///
    /// # Errors
    /// [`Denial::Forbidden`] for a wrong secret or an address that is not listed where one of
    /// both is wanted, [`Denial::Unauthorized`] when nothing was sent that could admit.
    pub fn admit(
        &self,
        access_secret: Option<&str>,
        identity: Option<Identity>,
    ) -> Result<Caller, Denial> {
        let listed = identity.as_ref().is_some_and(|identity| self.lists(&identity.email));
        let operator_keys = match (&self.secret, access_secret) {
            (Some(secret), Some(given)) => {
                if !secret.is(given) {
                    let wrong = "`accessSecret` is not the right one";
                    return Err(Denial::Forbidden(Unproven::new(Proof::AccessSecret, wrong)));
                }
                true
            }
            (Some(_), None) if listed => true,
            (Some(_), None) => return Err(self.wanted(identity.is_some())),
            (None, _) => listed || self.allowed.is_empty(),
        };
        let (email, name) =
            identity.map_or((None, None), |who| (Some(who.email.to_string()), who.name));
        // Another one was refused above.
        let knows_secret = self.secret.is_some() && access_secret.is_some();
        Ok(Caller { email, name, operator_keys, knows_secret })
    }

    fn wanted(&self, identified: bool) -> Denial {
        if self.allowed.is_empty() {
            let message = "this server wants an access secret; send it as `accessSecret`";
            return Denial::Unauthorized(Unproven::new(Proof::AccessSecret, message));
        }
        if identified {
            let message =
                "this Google account is not listed here; use another, or send `accessSecret`";
            return Denial::Forbidden(Unproven::new(Proof::Account, message));
        }
        let message = "this server wants an access secret or a listed Google account; send \
             `accessSecret` or `google_token`";
        Denial::Unauthorized(Unproven::new(Proof::AccessSecret, message))
    }

    fn lists(&self, email: &EmailAddress) -> bool {
        self.allowed.iter().any(|pattern| pattern.matches(email))
    }
}

fn listed(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|item| !item.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(secret: &str, emails: &str, client_id: &str) -> Access {
        Access::read(secret, emails, client_id).unwrap()
    }

    fn who(email: &str) -> Option<Identity> {
        let email = EmailAddress::parse(email).unwrap();
        Some(Identity { email, name: Some("Ada".into()) })
    }

    #[test]
    fn nothing_configured_is_open_local_use() {
        let access = rules("", "", "");
        assert!(!access.reads_tokens());
        assert!(access.admit(None, None).unwrap().operator_keys);
        assert!(access.admit(Some("whatever"), None).unwrap().operator_keys);
    }

    #[test]
    fn a_secret_must_match() {
        let access = rules("open sesame", "", "");
        assert!(access.admit(Some("open sesame"), None).unwrap().operator_keys);
        for wrong in ["open sesam", "open sesame ", "OPEN SESAME", "x"] {
            let denial = access.admit(Some(wrong), None).unwrap_err();
            assert!(matches!(denial, Denial::Forbidden(_)));
            assert!(!denial.to_string().contains("sesame"));
        }
        assert!(matches!(access.admit(None, None), Err(Denial::Unauthorized(_))));
        // An identity that nobody lists is no substitute.
        assert!(matches!(access.admit(None, who("a@b.c")), Err(Denial::Unauthorized(_))));
    }

    #[test]
    fn a_listed_address_may_use_the_operators_keys() {
        let access = rules("", "Ada@example.org, *@example.com,", "client");
        for (email, keys) in [
            ("ada@example.org", true),
            ("ADA@EXAMPLE.ORG", true),
            ("bob@example.com", true),
            ("bob@example.org", false),
            ("bob@sub.example.com", false),
            ("bob@notexample.com", false),
            ("x@example.com.evil.org", false),
        ] {
            let caller = access.admit(None, who(email)).unwrap();
            assert_eq!(caller.operator_keys, keys, "{email}");
            assert_eq!(caller.email.as_deref(), Some(email));
            assert_eq!(caller.name.as_deref(), Some("Ada"));
        }
        // Others may come with a key of their own.
        assert_eq!(access.admit(None, None).unwrap(), Caller::default());
    }

    #[test]
    fn a_list_that_can_match_nothing_is_refused() {
        for emails in ["example.com", "ada@example.org; bob@example.org", "*@*.example.com"] {
            let denial = Access::read("", emails, "client").unwrap_err();
            assert!(matches!(denial, Denial::Misconfigured(_)), "{emails}");
            assert!(denial.to_string().contains("allowed_emails"));
        }
    }

    #[test]
    fn either_of_both_is_enough() {
        let access = rules("s", "ada@example.org", "client");
        assert!(access.admit(Some("s"), None).unwrap().operator_keys);
        assert!(access.admit(Some("s"), who("bob@example.org")).unwrap().operator_keys);
        assert!(access.admit(None, who("ada@example.org")).unwrap().operator_keys);
        assert!(matches!(access.admit(None, None), Err(Denial::Unauthorized(_))));
        assert!(matches!(access.admit(None, who("bob@example.org")), Err(Denial::Forbidden(_))));
        assert!(matches!(
            access.admit(Some("t"), who("ada@example.org")),
            Err(Denial::Forbidden(_))
        ));
    }

    #[test]
    fn a_client_id_alone_identifies_without_closing() {
        let access = rules("", "", "one, two");
        assert!(access.reads_tokens());
        assert_eq!(access.audiences().unwrap(), ["one", "two"]);
        assert!(access.admit(None, who("a@b.c")).unwrap().operator_keys);
        let access = rules("", "a@b.c", "");
        assert!(matches!(access.audiences(), Err(Denial::Misconfigured(_))));
    }
}
