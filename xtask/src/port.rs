//! Whether an address can be listened on, asked before anybody waits for what is to listen there.

use anyhow::{Context, Result, bail};
use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};

/// Holds that nobody listens there. Port 0 is always free.
///
/// # Errors
/// What to do, where somebody does, or where nobody may.
pub fn ensure_free(listen: SocketAddr) -> Result<()> {
    match TcpListener::bind(listen) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AddrInUse => bail!(
            "something listens on {listen} already\n\
             hint: end it, or take another address, as in --listen 127.0.0.1:3001"
        ),
        Err(error) => Err(error).with_context(|| format!("cannot listen on {listen}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_is_taken_is_told_with_the_way_out() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = taken.local_addr().unwrap();
        let told = ensure_free(address).unwrap_err().to_string();
        assert!(told.contains("already") && told.contains("\nhint: "), "{told}");
        drop(taken);
        ensure_free(address).unwrap();
        ensure_free(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    }
}
