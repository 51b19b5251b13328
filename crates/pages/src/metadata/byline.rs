//! Who and when, where only a class name tells: `post-author`, `entry-date`.

use super::date;

/// Words of a class name that name an author's name, and those that name something else of theirs.
const AUTHOR: &[&str] = &["byline", "author", "authorname", "authors"];
const NOT_AUTHOR: &[&str] = &[
    "bio",
    "box",
    "avatar",
    "image",
    "img",
    "photo",
    "picture",
    "card",
    "about",
    "info",
    "social",
    "description",
    "wrapper",
    "container",
    "list",
    "comment",
    "quote",
    "review",
    "reviewer",
    "section",
    "block",
    "title",
    "role",
    "date",
];

/// Words of a class name that name a page's date.
const DATE: &[&str] = &[
    "date",
    "dateline",
    "published",
    "pubdate",
    "timestamp",
    "posted",
    "postdate",
    "datetime",
    "publish",
];
const NOT_DATE: &[&str] = &[
    "picker",
    "input",
    "comment",
    "event",
    "related",
    "expires",
    "expiry",
    "copyright",
    "footer",
    "modified",
    "updated",
    "update",
];

/// Whether a class names an author.
pub fn names_author(class: &str) -> bool {
    names(class, AUTHOR, NOT_AUTHOR)
}

/// Whether a class names the page's date.
pub fn names_date(class: &str) -> bool {
    names(class, DATE, NOT_DATE)
}

fn names(class: &str, wanted: &[&str], unwanted: &[&str]) -> bool {
    class.split_ascii_whitespace().take(10).any(|name| {
        let words = crate::extract::name_words(name);
        let any = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        any(wanted) && !any(unwanted)
    })
}

/// The date in a line such as "Published on May 1, 2024 by Ada", as written.
pub fn date(line: &str) -> Option<String> {
    let line = line.trim();
    if line.is_empty() || line.len() > 110 || !line.contains(|char: char| char.is_ascii_digit()) {
        return None;
    }
    let parts = line.split(['|', '·', '•', '—', '–']).map(str::trim);
    let bare = |part: &str| {
        let part = part.trim_end_matches(['.', ',']);
        let lower = part.to_lowercase();
        let begin = ["published on", "published", "posted on", "posted", "date", "on"]
            .iter()
            .find(|word| lower.starts_with(*word))
            .map_or(0, |word| word.len());
        part.get(begin..).unwrap_or(part).trim_matches([':', ' ', ',']).to_owned()
    };
    parts.map(bare).find(|part| date::normalise(part).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_that_name_a_person_or_a_day() {
        assert!(
            names_author("entry-author vcard")
                && names_author("PostAuthor__name")
                && names_author("byline")
        );
        assert!(
            !names_author("author-bio")
                && !names_author("authority")
                && !names_author("comment-author")
        );
        assert!(names_date("post-date") && names_date("entry-date published"));
        assert!(!names_date("date-picker") && !names_date("update") && !names_date("candidate"));
    }

    #[test]
    fn dates_in_lines() {
        assert_eq!(date("Published: May 1, 2024").as_deref(), Some("May 1, 2024"));
        assert_eq!(date("Ada Lund | 2024-05-01 | 5 min read").as_deref(), Some("2024-05-01"));
        assert_eq!(date("Posted on 1 May 2024.").as_deref(), Some("1 May 2024"));
        assert_eq!(date("5 comments"), None);
        assert_eq!(date(""), None);
    }
}
