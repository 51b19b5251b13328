//! Secrets of the operator's that a caller may know, compared in constant time.
//!
//! Border: texts in, a verdict out. Digests have one length, so a comparison tells nothing about the
//! secret's.

use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use crate::{Denial, Proof, Unproven};

/// A secret; only its digest is kept.
#[derive(Debug, Clone)]
pub(crate) struct Secret([u8; 32]);

impl Secret {
    /// None for an empty text, which means: not set.
    pub(crate) fn read(variable: &str) -> Option<Secret> {
        (!variable.is_empty()).then(|| Secret(digest(variable)))
    }

    pub(crate) fn is(&self, given: &str) -> bool {
        self.0.ct_eq(&digest(given)).into()
    }
}

fn digest(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

/// Who may have every run that is due taken up: whoever knows the variable `drive_secret`.
#[derive(Debug, Clone)]
pub struct DriveSecret(Option<Secret>);

impl DriveSecret {
    /// Reads the variable; empty: nobody may.
    #[must_use]
    pub fn read(variable: &str) -> DriveSecret {
        DriveSecret(Secret::read(variable))
    }

    /// Compares what a caller sent.
    ///
    /// # Errors
    /// [`Denial::Forbidden`] where no secret is set or another was sent, [`Denial::Unauthorized`] when
    /// none was sent.
    pub fn admit(&self, given: Option<&str>) -> Result<(), Denial> {
        let unproven = |message| Unproven::new(Proof::DriveSecret, message);
        let Some(secret) = &self.0 else {
            let message =
                "this server takes up due runs for nobody: its operator must set drive_secret";
            return Err(Denial::Forbidden(unproven(message)));
        };
        match given {
            Some(given) if secret.is(given) => Ok(()),
            Some(_) => Err(Denial::Forbidden(unproven("this is not the drive_secret"))),
            None => Err(Denial::Unauthorized(unproven(
                "send the drive_secret as `Authorization: Bearer …`",
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_knows_the_secret_has_runs_taken_up() {
        let rule = DriveSecret::read("wake up");
        assert_eq!(rule.admit(Some("wake up")), Ok(()));
        for wrong in ["", "wake u", "wake up ", "WAKE UP"] {
            let denial = rule.admit(Some(wrong)).unwrap_err();
            assert!(matches!(denial, Denial::Forbidden(_)), "{wrong}");
            assert!(!denial.to_string().contains("wake"));
        }
        assert!(matches!(rule.admit(None), Err(Denial::Unauthorized(_))));
    }

    #[test]
    fn where_none_is_set_nobody_may_and_the_variable_is_named() {
        for given in [None, Some(""), Some("x")] {
            let denial = DriveSecret::read("").admit(given).unwrap_err();
            assert!(matches!(denial, Denial::Forbidden(_)));
            assert!(denial.to_string().contains("drive_secret"), "{denial}");
        }
    }
}
