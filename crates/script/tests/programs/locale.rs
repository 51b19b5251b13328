//! Texts of numbers and dates, against those of Node 20 with all its locales.

#[test]
fn texts_equal_those_of_node() {
    crate::common::cases::check(include_str!("locale_cases.txt"));
}
