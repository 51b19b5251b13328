//! Tables: each row as a paragraph, each cell with the name of its column.
//!
//! Border: CSV in; text out. A row by itself means nothing without the names of its columns.

/// Columns of a table.
const COLUMNS: usize = 1_000;

/// A table as text of at most so many bytes.
///
/// # Errors
/// A sentence that says where and why.
pub fn write(text: &str, most: usize) -> Result<String, String> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter(text))
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let names = reader.headers().map_err(|error| error.to_string())?.clone();
    if names.len() > COLUMNS {
        return Err(format!("it has {} columns, {COLUMNS} are the most", names.len()));
    }
    let mut out = String::new();
    let mut row = csv::StringRecord::new();
    while reader.read_record(&mut row).map_err(|error| error.to_string())? {
        if !out.is_empty() {
            out.push('\n');
        }
        for (at, cell) in row.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
            let name = names.get(at).filter(|name| !name.is_empty());
            match name {
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
    }
    if out.is_empty() {
        // One line is no table with a head: it is its own text.
        out = names.iter().collect::<Vec<_>>().join("\n");
    }
    Ok(out)
}

/// What parts the cells of the first line: whichever of the usual signs stands there most often.
fn delimiter(text: &str) -> u8 {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let count = |sign: &u8| first.bytes().filter(|byte| byte == sign).count();
    let signs = [b'|', b'\t', b';', b','];
    signs.into_iter().filter(|sign| count(sign) > 0).max_by_key(count).unwrap_or(b',')
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
        assert_eq!(write("only,a,head\n", 99).unwrap(), "only\na\nhead");
    }

    #[test]
    fn a_table_that_grows_beyond_all_bounds_is_refused() {
        let name = "n".repeat(1_000);
        let rows = format!("{name}\n{}", "1\n".repeat(5_000));
        assert!(write(&rows, 100_000).unwrap_err().contains("100000 bytes"));
        assert!(write(&",".repeat(2_000), 99_999).unwrap_err().contains("2001 columns"));
    }
}
