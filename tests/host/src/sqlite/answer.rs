//! A statement's answer: its columns, then its rows as they come, then how it ended.
//!
//! Border: what goes wrong before the first row is told behind no rows, and what goes wrong later behind those that came,
//! as in Spin.

use tokio::sync::oneshot;

use crate::bindings::sqlite::{Error, QueryResult, RowResult, Value};
use crate::rows::{Rows, Teller, rows};

/// Bytes of a row at most, or of all rows where they are given at once: as in Spin.
const MOST: usize = 128 << 20;

/// By which a statement tells.
pub(crate) struct Telling {
    columns: Option<oneshot::Sender<Vec<String>>>,
    rows: Teller<RowResult, Error>,
}

/// What is told, before its columns are known.
pub(crate) struct Asked {
    columns: oneshot::Receiver<Vec<String>>,
    rows: Rows<RowResult, Error>,
}

/// What is told.
pub(crate) struct Answer {
    pub columns: Vec<String>,
    pub rows: Rows<RowResult, Error>,
}

/// The statement's side and the guest's.
pub(crate) fn asked() -> (Telling, Asked) {
    let (columns, read) = oneshot::channel();
    let (teller, rows) = rows();
    (Telling { columns: Some(columns), rows: teller }, Asked { columns: read, rows })
}

impl Telling {
    /// The columns, once: before any row.
    ///
    /// # Errors
    /// When whoever asked has gone: the statement is not carried out then.
    pub fn columns(&mut self, columns: Vec<String>) -> Result<(), Error> {
        let told = self.columns.take().is_some_and(|to| to.send(columns).is_ok());
        if told { Ok(()) } else { Err(Error::Io("column send error".to_owned())) }
    }

    /// A row. Blocks its thread until there is room for it.
    ///
    /// # Errors
    /// When it is too large, or nobody reads any more.
    pub fn row_blocking(&self, row: RowResult) -> Result<(), Error> {
        bounded(size(&row))?;
        self.rows.tell_blocking(row).map_err(|_| unread())
    }

    /// The same for whoever does not block.
    ///
    /// # Errors
    /// As [`Telling::row_blocking`].
    pub async fn row(&self, row: RowResult) -> Result<(), Error> {
        bounded(size(&row))?;
        self.rows.tell(row).await.map_err(|_| unread())
    }

    /// Tells how it ended.
    pub fn end(self, how: Result<(), Error>) {
        if let Some(columns) = self.columns {
            // Whoever waits for them is told why there are none by the end.
            _ = columns.send(Vec::new());
        }
        self.rows.end(how);
    }
}

impl Asked {
    /// Waits for the columns. Whoever stops waiting lets go of the statement.
    pub async fn answer(self) -> Result<Answer, Error> {
        let Asked { columns, rows } = self;
        let columns = columns.await.map_err(|error| Error::Io(error.to_string()))?;
        Ok(Answer { columns, rows })
    }
}

impl Answer {
    /// All at once: a failure leaves no rows.
    pub async fn whole(self) -> Result<QueryResult, Error> {
        let Answer { columns, rows: Rows { mut items, end } } = self;
        let (mut rows, mut bytes) = (Vec::new(), 0);
        while let Some(row) = items.recv().await {
            bytes += size(&row);
            bounded(bytes)?;
            rows.push(row);
        }
        end.await.map_err(|error| Error::Io(error.to_string()))??;
        Ok(QueryResult { columns, rows })
    }
}

fn unread() -> Error {
    Error::Io("row send error".to_owned())
}

fn bounded(bytes: usize) -> Result<(), Error> {
    match bytes > MOST {
        true => Err(Error::Io(format!("query result exceeds limit of {MOST} bytes"))),
        false => Ok(()),
    }
}

/// Bytes of a row in this process.
fn size(row: &RowResult) -> usize {
    let held = |value: &Value| match value {
        Value::Text(text) => text.len(),
        Value::Blob(bytes) => bytes.len(),
        Value::Integer(_) | Value::Real(_) | Value::Null => 0,
    };
    row.values.iter().map(|value| size_of::<Value>() + held(value)).sum()
}
