//! Texts of numbers and dates, against those of Node 20 with all its locales.

mod common;

#[test]
fn texts_equal_those_of_node() {
    common::cases::check(include_str!("locale_cases.txt"));
}
