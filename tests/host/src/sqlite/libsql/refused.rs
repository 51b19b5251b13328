//! Statements that the client refuses before it sends anything: it reads SQL itself, to know what begins a
//! transaction, and takes only what a server that many share can carry out.
//!
//! It reads all of SQLite's grammar; here the first words decide, which tells the same of every statement that
//! SQLite takes.

/// Pragmas that are sent whatever they are given.
const PRAGMAS: [&str; 25] = [
    "table_list",
    "index_list",
    "table_info",
    "table_xinfo",
    "index_info",
    "index_xinfo",
    "pragma_list",
    "compile_options",
    "database_list",
    "function_list",
    "module_list",
    "encoding",
    "defer_foreign_keys",
    "foreign_keys",
    "foreign_key_list",
    "foreign_key_check",
    "collation_list",
    "data_version",
    "freelist_count",
    "integrity_check",
    "legacy_file_format",
    "page_count",
    "quick_check",
    "stats",
    "user_version",
];

/// Pragmas that may be asked and not set.
const ASKED: [&str; 29] = [
    "analysis_limit",
    "application_id",
    "auto_vacuum",
    "automatic_index",
    "busy_timeout",
    "cache_size",
    "cache_spill",
    "cell_size_check",
    "checkpoint_fullfsync",
    "fullfsync",
    "hard_heap_limit",
    "journal_mode",
    "journal_size_limit",
    "legacy_alter_table",
    "locking_mode",
    "max_page_count",
    "mmap_size",
    "page_size",
    "query_only",
    "read_uncommitted",
    "recursive_triggers",
    "reverse_unordered_selects",
    "schema_version",
    "secure_delete",
    "soft_heap_limit",
    "synchronous",
    "temp_store",
    "trusted_schema",
    "wal_autocheckpoint",
];

/// Why a statement is not sent, in the client's words.
pub(super) fn by_client(statement: &str) -> Option<String> {
    let unsupported = || Some("unsupported statement".to_owned());
    let mut rest = statement.trim_start();
    while let Some(comment) = rest.strip_prefix("--") {
        rest = comment.split_once('\n').map_or("", |(_, rest)| rest).trim_start();
    }
    let word = |text: &str| -> String {
        text.trim_start().chars().take_while(|it| it.is_alphanumeric() || *it == '_').collect()
    };
    let first = word(rest);
    let behind = rest.get(first.len()..).unwrap_or_default();
    match first.to_ascii_uppercase().as_str() {
        "" => Some("API misuse: `no SQL statement provided`".to_owned()),
        "VACUUM" | "ANALYZE" => unsupported(),
        "CREATE" => match word(behind).to_ascii_uppercase().as_str() {
            "TEMP" | "TEMPORARY" => unsupported(),
            _ => None,
        },
        "PRAGMA" => {
            let name = word(behind).to_ascii_lowercase();
            let is_set = behind.contains(['=', '(']);
            let is_sent = PRAGMAS.contains(&&*name) || (!is_set && ASKED.contains(&&*name));
            if is_sent { None } else { unsupported() }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_a_connection_are_refused_and_all_else_is_sent() {
        for refused in [
            "PRAGMA busy_timeout = 250",
            "pragma synchronous=NORMAL",
            "PRAGMA journal_mode = WAL",
            "PRAGMA journal_mode(wal)",
            "PRAGMA wal_checkpoint",
            "PRAGMA optimize",
            "VACUUM",
            "ANALYZE run",
            "CREATE TEMP TABLE a (b)",
            "-- why\n  CREATE TEMPORARY TABLE a (b)",
        ] {
            assert_eq!(by_client(refused).as_deref(), Some("unsupported statement"), "{refused}");
        }
        assert!(by_client(" -- nothing").unwrap().contains("no SQL"));
        for sent in [
            "PRAGMA journal_mode",
            "PRAGMA table_info(run)",
            "PRAGMA foreign_keys = ON",
            "CREATE TABLE a (b)",
            "-- why\nINSERT INTO a VALUES (1)",
            "WITH a AS (SELECT 1) SELECT * FROM a",
        ] {
            assert_eq!(by_client(sent), None, "{sent}");
        }
    }
}
