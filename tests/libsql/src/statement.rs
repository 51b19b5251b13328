//! One statement on SQLite, as the lines of a cursor.

use crate::wire::{self, Statement};
use rusqlite::ffi::ErrorCode;
use rusqlite::{Connection, Error, params_from_iter};
use serde_json::Value;

/// Whether a server refuses it without looking at the database: settings of a connection are not a client's
/// to make.
pub(crate) fn is_refused(sql: &str) -> bool {
    let mut words = sql.split_whitespace().map(str::to_ascii_uppercase);
    match words.next().as_deref() {
        Some("PRAGMA") => sql.contains('=') || sql.contains('('),
        Some("VACUUM" | "ANALYZE") => true,
        _ => false,
    }
}

/// Carries it out, and gives the answer's lines behind the first.
pub(crate) fn run(connection: &Connection, statement: &Statement) -> Vec<Value> {
    let mut lines = Vec::new();
    match rows(connection, statement, &mut lines) {
        Ok(()) => lines.push(wire::step_end(connection.changes())),
        Err(error) => lines.push(told(&error)),
    }
    lines.push(wire::replication_index());
    lines
}

fn rows(
    connection: &Connection,
    statement: &Statement,
    lines: &mut Vec<Value>,
) -> Result<(), Error> {
    let mut prepared = connection.prepare(&statement.sql)?;
    let columns: Vec<String> = prepared.column_names().map(str::to_owned).collect();
    lines.push(wire::step_begin(&columns));
    let values = statement.args.iter().map(|argument| argument.cell());
    let values: Option<Vec<_>> = values.collect();
    let values = values.ok_or(Error::InvalidQuery)?;
    let mut found = prepared.query(params_from_iter(values))?;
    while let Some(row) = found.next()? {
        let values: Result<Vec<Value>, Error> =
            (0..columns.len()).map(|column| row.get_ref(column).map(wire::value)).collect();
        lines.push(wire::row(values?));
    }
    Ok(())
}

fn told(error: &Error) -> Value {
    let code = match error.sqlite_error_code() {
        Some(ErrorCode::ConstraintViolation) => "SQLITE_CONSTRAINT",
        Some(ErrorCode::DatabaseBusy) => return busy(),
        Some(ErrorCode::TypeMismatch) => "SQLITE_MISMATCH",
        Some(ErrorCode::DiskFull) => "SQLITE_FULL",
        _ => "SQLITE_ERROR",
    };
    wire::step_error(&format!("SQLite error: {error}"), code)
}

/// What a statement comes to while somebody else has the database.
pub(crate) fn busy() -> Value {
    wire::step_error("SQLite error: database is locked", "SQLITE_BUSY")
}
