//! Whether the host keeps us out of private networks.
//!
//! What a public name resolves to is not ours to know: no host lets a component look names up. Only its
//! network rules can refuse a name that leads inside, and only a request tells whether it has such rules.

/// Where a request must be refused by a host that has rules: nothing is expected to listen there, and
/// if something does, nothing of what it answers is kept.
pub const PROBE: &str = "http://127.0.0.1:1/";

/// What came of the probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Probe {
    /// The host's network rules refused it after they saw where it leads.
    Blocked,
    /// It was never on its way: this host is not granted to us.
    NotSent,
    /// It got through: something answered, or refused the connection itself.
    Through,
    /// Nothing was heard in time.
    Silent,
}

/// What the host does about private networks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Network {
    /// It refuses them after names were resolved.
    Guarded,
    /// It lets everything through: a public name that leads inside is read.
    Open,
    /// It cannot be told.
    Unknown,
}

impl Network {
    /// What the probe says.
    pub fn from_probe(probe: Probe) -> Self {
        match probe {
            Probe::Blocked => Self::Guarded,
            Probe::Through => Self::Open,
            Probe::NotSent | Probe::Silent => Self::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::{Allow, Refusal, check};

    #[test]
    fn only_a_refusal_by_the_rules_is_a_guard() {
        assert_eq!(Network::from_probe(Probe::Blocked), Network::Guarded);
        assert_eq!(Network::from_probe(Probe::Through), Network::Open);
        for probe in [Probe::NotSent, Probe::Silent] {
            assert_eq!(Network::from_probe(probe), Network::Unknown);
        }
    }

    #[test]
    fn the_probe_goes_where_pages_are_never_read() {
        assert!(matches!(check(PROBE, &Allow::default()), Err(Refusal::Loopback(_))));
    }
}
