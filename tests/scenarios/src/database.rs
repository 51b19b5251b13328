//! Who keeps the SQLite database of a Quarry that is tested.

use crate::clients::{Clients, Found, skipped};
use anyhow::{Context, Result, anyhow, bail};
use quarry_test_libsql::{Program, RealServer, ScriptedServer, TOKEN};
use std::path::{Path, PathBuf};

/// Where nothing has installed libsql-server.
const UNASKED: &str =
    "`cargo xtask test` installs libsql-server; with a filter, `--clients small` has it do so";

/// libsql-server, where it is installed. None when it is not: then the test is skipped, and says so.
///
/// # Errors
/// When what is installed is not there.
pub fn libsql_server() -> Result<Option<Program>> {
    match find()? {
        Ok(program) => Ok(Some(program)),
        Err(why) => skipped("a real libSQL server", &why).map(|()| None),
    }
}

/// The one whose version is named, before one that happens to be on the path; or why there is none.
fn find() -> Result<Result<Program, String>> {
    let why = match Clients::find(&["libsql-server"])? {
        Found::Here(clients) => {
            let folder = clients.programs();
            let found = Program::within(&folder);
            return found.map(Ok).with_context(|| format!("it is not in {}", folder.display()));
        }
        Found::Unasked => UNASKED.to_owned(),
        Found::Missing(why) => why,
    };
    Ok(Program::on_path().ok_or(why))
}

/// Who is to keep it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keeper {
    /// Spin, in a file; or as the stores say.
    File,
    /// A scripted libSQL server, which can misbehave; its file lies where Spin's would.
    Scripted,
    /// The same behind TLS, vouched for by a certificate that whoever runs Quarry is told of.
    Secure,
    /// The same, and nobody is told.
    Unvouched,
    /// libsql-server itself, which has to be installed.
    Real,
}

impl Keeper {
    /// A file, unless the environment has `QUARRY_DATABASE`: so that all scenarios can be run on another.
    pub(crate) fn usual() -> Self {
        match std::env::var("QUARRY_DATABASE").as_deref() {
            Ok("scripted") => Self::Scripted,
            Ok("libsql") => Self::Real,
            _ => Self::File,
        }
    }
}

/// What keeps it, at work.
pub enum Database {
    /// A file.
    File,
    /// A scripted server.
    Scripted(ScriptedServer),
    /// A scripted server behind TLS that the host cannot know.
    Unvouched(ScriptedServer),
    /// libsql-server.
    Real(Box<RealServer>),
}

impl Database {
    pub(crate) async fn start(keeper: Keeper, state: &Path) -> Result<Self> {
        Ok(match keeper {
            Keeper::File => Self::File,
            Keeper::Scripted => Self::Scripted(ScriptedServer::start(state).await?),
            Keeper::Secure => Self::Scripted(ScriptedServer::start_secure(state).await?),
            Keeper::Unvouched => Self::Unvouched(ScriptedServer::start_secure(state).await?),
            Keeper::Real => {
                let program = find()?.map_err(|why| anyhow!("no real libSQL server: {why}"))?;
                Self::Real(Box::new(RealServer::start(&program, state).await?))
            }
        })
    }

    /// The scripted server, where that keeps it.
    pub fn scripted(&self) -> Result<&ScriptedServer> {
        match self {
            Self::Scripted(server) | Self::Unvouched(server) => Ok(server),
            Self::File | Self::Real(_) => bail!("no scripted server keeps the database"),
        }
    }

    /// The certificate that vouches for its server and that the host is to be told of, in a file beside it.
    pub(crate) fn certificates(&self, state: &Path) -> Result<Option<PathBuf>> {
        let Self::Scripted(server) = self else { return Ok(None) };
        let Some(certificate) = server.certificate() else { return Ok(None) };
        let file = state.join("certificates.pem");
        std::fs::write(&file, certificate)?;
        Ok(Some(file))
    }

    /// Spin's configuration for it, written beside it; none where Spin keeps it.
    pub(crate) fn runtime_config(&self, state: &Path) -> Result<Option<PathBuf>> {
        let url = match self {
            Self::File => return Ok(None),
            Self::Scripted(server) | Self::Unvouched(server) => server.url(),
            Self::Real(server) => server.url(),
        };
        let file = state.join("runtime-config.toml");
        let table = format!(
            "[sqlite_database.default]\ntype = \"libsql\"\nurl = \"{url}\"\ntoken = \"{TOKEN}\"\n"
        );
        std::fs::write(&file, table)?;
        Ok(Some(file))
    }
}
