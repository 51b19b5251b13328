//! Tables: each row as a paragraph, each cell with the name of its column.
//!
//! Border: CSV in; text out. A row by itself means nothing without the names of its columns.

use csv_core::ReadFieldResult;

/// Columns of a table.
const COLUMNS: usize = 1_000;

/// A table as text of at most so many bytes.
///
/// # Errors
/// A sentence that says where and why.
pub fn write(text: &str, most: usize) -> Result<String, String> {
    let mut cells = Cells::of(text);
    let mut names: Vec<String> = Vec::new();
    while let Some(Cell { text, is_last }) = cells.next(1)? {
        names.push(text);
        if names.len() > COLUMNS {
            return Err(format!("it has more than {COLUMNS} columns"));
        }
        if is_last {
            break;
        }
    }
    let (mut out, mut row, mut at) = (String::new(), 2_usize, 0_usize);
    while let Some(Cell { text: cell, is_last }) = cells.next(row)? {
        if at == 0 && !out.is_empty() {
            out.push('\n');
        }
        if at >= COLUMNS {
            return Err(format!("row {row} has more than {COLUMNS} columns"));
        }
        if !cell.is_empty() {
            match names.get(at).filter(|name| !name.is_empty()) {
                Some(name) => out.push_str(name),
                None => out.push_str(&format!("Column {}", at + 1)),
            }
            out.push_str(": ");
            // A line is a cell: what stands in several lines of one stays together.
            out.extend(cell.lines().flat_map(|line| [line, " "]));
            out.truncate(out.trim_end().len());
            out.push('\n');
            // A row may have as many cells as its file has bytes.
            if out.len() > most {
                return Err(format!(
                    "written out it has more than {most} bytes; part it into several documents"
                ));
            }
        }
        (row, at) = if is_last { (row + 1, 0) } else { (row, at + 1) };
    }
    if out.is_empty() {
        // One line is no table with a head: it is its own text.
        out = names.join("\n");
    }
    Ok(out)
}

/// The cells of a table, one by one: a row may have as many as there are bytes, and is refused before it is in memory.
struct Cells<'t> {
    reader: csv_core::Reader,
    rest: &'t [u8],
    /// Whether the end of the last line was given to it.
    is_ended: bool,
    /// Bytes of a piece of a cell.
    piece: [u8; 1_024],
}

/// A cell without blanks at its ends.
struct Cell {
    text: String,
    /// Whether its row ends with it.
    is_last: bool,
}

impl<'t> Cells<'t> {
    fn of(text: &'t str) -> Self {
        let (sign, text) = match told(text) {
            Some((sign, rows)) => (sign, rows),
            None => (delimiter(text), text),
        };
        let reader = csv_core::ReaderBuilder::new().delimiter(sign).build();
        Cells { reader, rest: text.as_bytes(), is_ended: false, piece: [0; 1_024] }
    }

    /// The next one, of this row.
    fn next(&mut self, row: usize) -> Result<Option<Cell>, String> {
        let mut cell = Vec::new();
        loop {
            let (result, read, written) = self.reader.read_field(self.rest, &mut self.piece);
            self.rest = self.rest.get(read..).unwrap_or_default();
            cell.extend_from_slice(self.piece.get(..written).unwrap_or_default());
            match result {
                ReadFieldResult::OutputFull => {}
                // A line's end ends the last row, too, unless a quotation mark takes it in with all that was before.
                ReadFieldResult::InputEmpty if !self.is_ended => {
                    (self.rest, self.is_ended) = (b"\n", true);
                }
                // The next call says that nothing more comes.
                ReadFieldResult::InputEmpty if written == 0 => {}
                ReadFieldResult::InputEmpty => {
                    return Err(format!(
                        "in row {row} a quotation mark begins a cell, and none ends it"
                    ));
                }
                ReadFieldResult::Field { record_end } => {
                    // What parts cells is ASCII: no letter is cut.
                    let text = String::from_utf8_lossy(&cell).trim().to_owned();
                    return Ok(Some(Cell { text, is_last: record_end }));
                }
                ReadFieldResult::End => return Ok(None),
            }
        }
    }
}

/// What parts cells, where a line before them says so for a spreadsheet, and what follows that line.
fn told(text: &str) -> Option<(u8, &str)> {
    let (line, rows) = text.split_once('\n')?;
    let line = line.trim_start_matches('\u{feff}').trim_end_matches('\r').trim_matches('"');
    match line.as_bytes() {
        [b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', sign] if !sign.is_ascii_alphanumeric() => {
            Some((*sign, rows))
        }
        _ => None,
    }
}

/// Lines that tell what parts cells.
const TELLING: usize = 8;

/// What parts the cells of the first line: of the usual signs the one that stands as often in the lines below it, and of
/// several the one that stands there most often.
fn delimiter(text: &str) -> u8 {
    let lines = || text.lines().filter(|line| !line.trim().is_empty()).take(TELLING);
    let count = |line: &str, sign: u8| line.bytes().filter(|byte| *byte == sign).count();
    let of_first = |sign: u8| count(lines().next().unwrap_or_default(), sign);
    let is_even = |sign: u8| lines().all(|line| count(line, sign) == of_first(sign));
    let signs = *b"|\t;,";
    let there = signs.into_iter().filter(|sign| of_first(*sign) > 0);
    there.max_by_key(|sign| (is_even(*sign), of_first(*sign))).unwrap_or(b',')
}

#[cfg(test)]
mod tests {
    use super::write;

    #[test]
    fn a_row_says_what_its_cells_are() {
        let rows = "name,height,note\nOrrin Light,38 m,\"built, then\nrebuilt\"\nSker,,x,y\n";
        assert_eq!(
            write(rows, 999).unwrap(),
            "name: Orrin Light\nheight: 38 m\nnote: built, then rebuilt\n\nname: Sker\nnote: x\nColumn 4: y\n"
        );
        assert_eq!(write("a;b\n1,5;2\n", 99).unwrap(), "a: 1,5\nb: 2\n");
        assert_eq!(write("a\tb\n1\t2\n", 99).unwrap(), "a: 1\nb: 2\n");
        let ports = "Port\tName, former, local\nSker\tOld Sker, the Light\n";
        assert_eq!(
            write(ports, 99).unwrap(),
            "Port: Sker\nName, former, local: Old Sker, the Light\n"
        );
        assert_eq!(write("only,a,head\n", 99).unwrap(), "only\na\nhead");
        // A line that tells a spreadsheet what parts cells is no row.
        for told in ["sep=;\r\n", "SEP=;\n", "\"sep=;\"\n", "\u{feff}sep=;\n"] {
            assert_eq!(write(&format!("{told}a,x;b\n1;2\n"), 99).unwrap(), "a,x: 1\nb: 2\n");
        }
        assert_eq!(write("sep=\n1\n", 99).unwrap(), "sep=: 1\n");
    }

    #[test]
    fn a_table_that_grows_beyond_all_bounds_is_refused() {
        let name = "n".repeat(1_000);
        let rows = format!("{name}\n{}", "1\n".repeat(5_000));
        assert!(write(&rows, 100_000).unwrap_err().contains("100000 bytes"));
        assert!(write(&",".repeat(2_000), 99_999).unwrap_err().contains("1000 columns"));
    }

    #[test]
    fn a_row_of_millions_of_cells_is_refused_before_it_is_written_out() {
        let rows = format!("a,b\n1,2\n{}", "x,".repeat(1_000_000));
        let why = write(&rows, usize::MAX).unwrap_err();
        assert_eq!(why, "row 3 has more than 1000 columns");
        let names = "x,".repeat(1_000_000);
        assert!(write(&names, usize::MAX).unwrap_err().contains("columns"));
        // Within a row, too: no more is written than one cell beyond the bound.
        let row =
            format!("{}\n{}", "n,".repeat(999), format!("{},", "x".repeat(1_000)).repeat(999));
        assert!(write(&row, 2_000).unwrap_err().contains("2000 bytes"));
    }

    #[test]
    fn a_quotation_mark_that_is_never_closed_takes_no_rows_with_it() {
        for rows in ["a,b\n1,\"2\"\nx,\"12 inch, open\n3,4\n", "a,b\n1,2\n3,\"open"] {
            let why = write(rows, 999).unwrap_err();
            assert_eq!(
                why, "in row 3 a quotation mark begins a cell, and none ends it",
                "{rows:?}"
            );
        }
        let wide = format!("a\n\"{}", "x".repeat(5_000));
        assert!(write(&wide, 99_999).unwrap_err().contains("row 2"));
    }

    #[test]
    fn cells_are_read_as_tables_are_written() {
        for (rows, expected) in [
            ("a,b\r\n\r\n1,2\r\n", "a: 1\nb: 2\n"),
            ("a,b\n\"say \"\"so\"\"\", é \n", "a: say \"so\"\nb: é\n"),
            ("a,b\n1", "a: 1\n"),
            ("a,b\n\"closed\"", "a: closed\n"),
            ("a,b\n\"one\ntwo\"\n", "a: one two\n"),
            ("a\n,\n3\n", "a: 3\n"),
            ("", ""),
        ] {
            assert_eq!(write(rows, 999).unwrap(), expected, "{rows:?}");
        }
        let long = "é".repeat(5_000);
        assert_eq!(write(&format!("a\n{long}\n"), 99_999).unwrap(), format!("a: {long}\n"));
    }
}
