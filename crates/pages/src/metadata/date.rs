//! Dates as pages write them, as ISO 8601 where they can be understood.

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// `2024-05-01` or `2024-05-01T10:00:00Z` for what can be understood; else `None`.
pub fn normalise(text: &str) -> Option<String> {
    // Some put a quoted string into a string.
    let text = text.trim().trim_matches('"');
    if text.len() > 80 {
        return None;
    }
    iso(text).or_else(|| compact(text)).or_else(|| worded(text))
}

fn valid(year: u32, month: u32, day: u32) -> bool {
    (1900..2100).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day)
}

fn format(year: u32, month: u32, day: u32) -> Option<String> {
    valid(year, month, day).then(|| format!("{year:04}-{month:02}-{day:02}"))
}

/// `2024-5-1`, `2024/05/01`, `2024.05.01`, each with a time behind it or not.
fn iso(text: &str) -> Option<String> {
    let split = text
        .find(|char: char| char == 'T' || char == 't' || char.is_whitespace())
        .unwrap_or(text.len());
    let (date, rest) = text.split_at_checked(split)?;
    let mut parts = date.split(['-', '/', '.']);
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    if year.len() != 4 || parts.next().is_some() {
        return None;
    }
    let date = format(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)?;
    Some(match time(rest.trim_start_matches(['T', 't']).trim()) {
        Some(time) => format!("{date}T{time}"),
        None => date,
    })
}

/// `10:00`, `10:00:00.123`, each with `Z` or an offset or not; seconds are added, fractions dropped.
fn time(text: &str) -> Option<String> {
    let zone_at = text.find(['Z', 'z', '+', '-']).unwrap_or(text.len());
    let (clock, zone) = text.split_at_checked(zone_at)?;
    let mut parts = clock.trim().split(':');
    let hour: u32 = parts.next()?.parse().ok()?;
    let minute: u32 = parts.next()?.parse().ok()?;
    let second: u32 = match parts.next() {
        Some(text) => text.split('.').next()?.parse().ok()?,
        None => 0,
    };
    if hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let digits: String = zone.chars().filter(char::is_ascii_digit).collect();
    let zone = match zone.chars().next() {
        Some('Z' | 'z') => "Z".to_owned(),
        Some(sign @ ('+' | '-')) if digits.len() == 4 => {
            let (hours, minutes) = digits.split_at_checked(2)?;
            format!("{sign}{hours}:{minutes}")
        }
        Some(sign @ ('+' | '-')) if digits.len() == 2 => format!("{sign}{digits}:00"),
        _ => String::new(),
    };
    Some(format!("{hour:02}:{minute:02}:{second:02}{zone}"))
}

/// `20240501`, with more digits behind it or not.
fn compact(text: &str) -> Option<String> {
    if !matches!(text.len(), 8 | 14) || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    format(
        text.get(..4)?.parse().ok()?,
        text.get(4..6)?.parse().ok()?,
        text.get(6..8)?.parse().ok()?,
    )
}

/// `May 1, 2024`, `1st May 2024`, `Wed, 01 May 2024 10:00:00 GMT`.
fn worded(text: &str) -> Option<String> {
    let (mut year, mut month, mut day) = (None, None, None);
    for word in
        text.split(|char: char| char.is_whitespace() || matches!(char, ',' | '/' | '-' | '.'))
    {
        if word.contains(':') {
            continue;
        }
        let digits = word.trim_end_matches(|char: char| char.is_ascii_alphabetic());
        match digits.parse::<u32>() {
            Ok(number) if digits.len() == 4 && year.is_none() => year = Some(number),
            Ok(number) if digits.len() <= 2 && day.is_none() => day = Some(number),
            Ok(_) => {}
            Err(_) if month.is_none() && word.is_ascii() => {
                let lower = word.to_ascii_lowercase();
                month = lower
                    .get(..3)
                    .and_then(|start| MONTHS.iter().position(|name| *name == start))
                    .map(|at| at + 1);
            }
            Err(_) => {}
        }
    }
    format(year?, u32::try_from(month?).ok()?, day?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_usual_forms() {
        for (text, expected) in [
            ("2024-05-01", "2024-05-01"),
            (" 2024/5/1 ", "2024-05-01"),
            ("2024-05-01T10:20:30.123Z", "2024-05-01T10:20:30Z"),
            ("2024-05-01 10:20", "2024-05-01T10:20:00"),
            ("2024-05-01T10:20:30+0200", "2024-05-01T10:20:30+02:00"),
            ("2024-05-01T10:20:30+02", "2024-05-01T10:20:30+02:00"),
            ("20240501", "2024-05-01"),
            ("May 1, 2024", "2024-05-01"),
            ("1st September 2024", "2024-09-01"),
            ("Wed, 01 May 2024 10:00:00 GMT", "2024-05-01"),
            ("01-May-2024", "2024-05-01"),
        ] {
            assert_eq!(normalise(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_ambiguous_or_no_date_is_left() {
        for text in
            ["01/02/2024", "yesterday", "", "2024", "2024-13-01", "May 2024", "3 minutes ago"]
        {
            assert_eq!(normalise(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn anything_goes_in(text in "\\PC{0,90}") {
            let _ = normalise(&text);
        }
    }
}
