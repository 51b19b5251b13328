//! How long a provider wants us to wait, in all the ways in which providers say it.
//!
//! Border: header values and message texts in, seconds out. The current time is an argument.

/// Longer waits than a week are taken for mistakes, and count as a week.
const LONGEST_SECONDS: f64 = 7.0 * 24.0 * 3600.0;

/// A response header: its name in any case, and its bytes.
pub type Header = (String, Vec<u8>);

/// The wait in seconds that a response asks for, if it does.
///
/// The first that names one, in this order: `retry-after-ms`, `Retry-After`, the longest reset of a bucket that is
/// empty, the text of the message, the longest reset, `X-RateLimit-Reset`. `now` is in Unix seconds.
#[must_use]
pub fn wanted(headers: &[Header], message: &str, now: f64) -> Option<f64> {
    let header = |name: &str| {
        headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .and_then(|(_, value)| std::str::from_utf8(value).ok())
            .map(str::trim)
    };
    let reset = |bucket: &str| {
        header(&format!("x-ratelimit-reset-{bucket}")).and_then(|value| reset(value, now))
    };
    let is_empty = |bucket: &str| {
        header(&format!("x-ratelimit-remaining-{bucket}"))
            .and_then(|left| left.parse::<f64>().ok())
            .is_some_and(|left| left <= 0.0)
    };
    let longest = |only_empty: bool| {
        ["requests", "tokens"]
            .into_iter()
            .filter(|bucket| !only_empty || is_empty(bucket))
            .filter_map(reset)
            .max_by(f64::total_cmp)
    };
    let in_ms = || header("retry-after-ms")?.parse::<f64>().ok().map(|ms| ms / 1000.0);
    let in_header = || retry_after(header("retry-after")?, now);
    let point = || reset_value(header("x-ratelimit-reset")?, now);
    let (empty, any) = (|| longest(true), || longest(false));
    let places: [&dyn Fn() -> Option<f64>; 6] =
        [&in_ms, &in_header, &empty, &|| in_message(message), &any, &point];
    // A wait of nothing, or until a moment that is over, is none that anybody means.
    let named = |seconds: &f64| seconds.is_finite() && *seconds > 0.0;
    places
        .iter()
        .find_map(|place| place().filter(named))
        .map(|seconds| seconds.min(LONGEST_SECONDS))
}

fn reset(value: &str, now: f64) -> Option<f64> {
    duration(value).or_else(|| reset_value(value, now))
}

/// A reset as a bare number: seconds from now, or a point in Unix seconds or milliseconds.
fn reset_value(value: &str, now: f64) -> Option<f64> {
    let number: f64 = value.parse().ok().filter(|number: &f64| number.is_finite())?;
    Some(if number > 1e11 {
        number / 1000.0 - now
    } else if number > 1e8 {
        number - now
    } else {
        number
    })
}

/// `Retry-After`: seconds, or an HTTP date.
#[must_use]
pub fn retry_after(value: &str, now: f64) -> Option<f64> {
    let value = value.trim();
    match value.parse::<f64>() {
        Ok(seconds) => Some(seconds).filter(|seconds| seconds.is_finite() && *seconds >= 0.0),
        Err(_) => http_date(value).map(|at| (at - now).max(0.0)).or_else(|| duration(value)),
    }
}

/// A whole text that is a duration: `7m12.5s`, `28ms`, `2 minutes`, `1h 5m`, `12` (seconds).
#[must_use]
pub fn duration(text: &str) -> Option<f64> {
    let (seconds, rest) = leading_duration(text.trim())?;
    rest.trim().is_empty().then_some(seconds)
}

/// The wait that a message names: "try again in 7m12.5s", "retry after 28ms", "in 2 minutes",
/// `"retryDelay": "23s"`.
#[must_use]
pub fn in_message(message: &str) -> Option<f64> {
    const BEFORE: [&str; 9] = [
        "try again in",
        "try again after",
        "retry in",
        "retry after",
        "retrydelay",
        "retry_after",
        "available in",
        "resets in",
        "wait",
    ];
    // Lower case for ASCII only, so that positions stay what they were.
    let lower = message.to_ascii_lowercase();
    BEFORE.iter().find_map(|phrase| {
        lower.match_indices(phrase).find_map(|(at, _)| {
            let rest = lower.get(at + phrase.len()..)?;
            let rest = rest.trim_start_matches(|character: char| {
                character.is_whitespace() || matches!(character, ':' | '"' | '\'' | '~' | '=')
            });
            let rest = rest.strip_prefix("about ").unwrap_or(rest);
            let rest = rest.strip_prefix("for ").unwrap_or(rest);
            leading_duration(rest).map(|(seconds, _)| seconds)
        })
    })
}

/// A duration at the beginning of a text, and what follows it.
fn leading_duration(text: &str) -> Option<(f64, &str)> {
    let mut rest = text;
    let mut total = 0.0;
    let mut parts = 0;
    loop {
        let trimmed = rest.trim_start_matches([' ', ',']);
        let trimmed = trimmed.strip_prefix("and ").unwrap_or(trimmed);
        let Some((number, after)) = leading_number(trimmed) else { break };
        let unit_text = after.trim_start();
        let letters = unit_text.find(|c: char| !c.is_alphabetic()).unwrap_or(unit_text.len());
        let (unit, tail) = unit_text.split_at_checked(letters)?;
        if let Some(factor) = unit_seconds(unit) {
            total += number * factor;
            parts += 1;
            rest = tail;
        } else if parts == 0 && unit.is_empty() && !goes_on(after) {
            // A bare number is seconds, as in `Retry-After`.
            return Some((number, after));
        } else {
            break;
        }
    }
    (parts > 0).then_some((total, rest))
}

/// Whether what follows a number makes it the first part of a date, a clock's time or a range.
fn goes_on(after: &str) -> bool {
    let mut signs = after.chars();
    matches!(signs.next(), Some('-' | '–' | '/' | ':'))
        && signs.next().is_some_and(|next| next.is_ascii_digit())
}

fn leading_number(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, rest) = text.split_at_checked(end)?;
    // The full stop of a sentence is no decimal point.
    let digits = number.trim_end_matches('.');
    if digits.len() < number.len() {
        return Some((digits.parse().ok()?, text.get(digits.len()..)?));
    }
    Some((number.parse().ok()?, rest))
}

fn unit_seconds(unit: &str) -> Option<f64> {
    Some(match unit.to_ascii_lowercase().as_str() {
        "ms" | "msec" | "msecs" | "millisecond" | "milliseconds" => 0.001,
        "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
        "m" | "min" | "mins" | "minute" | "minutes" => 60.0,
        "h" | "hr" | "hrs" | "hour" | "hours" => 3600.0,
        "d" | "day" | "days" => 86_400.0,
        "w" | "week" | "weeks" => 604_800.0,
        "us" | "µs" => 1e-6,
        "ns" => 1e-9,
        _ => return None,
    })
}

/// An HTTP date in its preferred form, `Sun, 06 Nov 1994 08:49:37 GMT`, in Unix seconds.
#[must_use]
pub fn http_date(text: &str) -> Option<f64> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let (_, date) = text.split_once(',')?;
    let mut parts = date.split_ascii_whitespace();
    let day: i64 = parts.next()?.parse().ok()?;
    let month_name = parts.next()?.to_ascii_lowercase();
    let month = i64::try_from(MONTHS.iter().position(|month| *month == month_name)?).ok()? + 1;
    let year: i64 = parts.next()?.parse().ok()?;
    let mut clock = parts.next()?.split(':').map(|part| part.parse::<i64>().ok());
    let (hour, minute, second) = (clock.next()??, clock.next()??, clock.next()??);
    let in_range = (1..=31).contains(&day)
        && (1970..=9999).contains(&year)
        && (0..24).contains(&hour)
        && (0..60).contains(&minute)
        && (0..=60).contains(&second);
    if !in_range || parts.next()? != "GMT" {
        return None;
    }
    let seconds = days_from_epoch(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
    i32::try_from(seconds).map(f64::from).ok().or_else(|| seconds.to_string().parse().ok())
}

/// Days since 1970-01-01 in the Gregorian calendar, counting years from March so that the leap day
/// comes last.
const fn days_from_epoch(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(left: Option<f64>, right: f64) -> bool {
        left.is_some_and(|left| (left - right).abs() < 1e-6)
    }

    fn headers(pairs: &[(&str, &str)]) -> Vec<Header> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), value.as_bytes().to_vec())).collect()
    }

    #[test]
    fn durations_as_providers_write_them() {
        for (text, seconds) in [
            ("7m12.5s", 432.5),
            ("28ms", 0.028),
            ("2 minutes", 120.0),
            ("1h0m3s", 3603.0),
            ("1 hour, 2 minutes and 3 seconds", 3723.0),
            ("12", 12.0),
            ("0.5", 0.5),
            ("6d", 518_400.0),
        ] {
            assert!(close(duration(text), seconds), "{text}: {:?}", duration(text));
        }
        for text in ["", "soon", "5 apples", "s", "-3s"] {
            assert_eq!(duration(text), None, "{text}");
        }
    }

    #[test]
    fn waits_in_sentences() {
        for (text, seconds) in [
            ("Rate limit reached. Please try again in 7m12.5s. Visit https://x.y", 432.5),
            ("Please try again in 28ms.", 0.028),
            ("try again in 2 minutes", 120.0),
            ("Please try again in 20s. Contact us", 20.0),
            ("Please retry in 23.4s.", 23.4),
            (r#"{"retryDelay": "23s"}"#, 23.0),
            ("Please wait 5 seconds before", 5.0),
            ("Retry after 3.", 3.0),
            (r#"{"retry_after":12,"code":429}"#, 12.0),
            ("Try again in 2 days.", 172_800.0),
            ("Try again in 2 weeks.", 1_209_600.0),
            ("try again in 5µs", 5e-6),
        ] {
            assert!(close(in_message(text), seconds), "{text}: {:?}", in_message(text));
        }
        for text in ["try again later", "wait a moment", "in 5 minutes we sang", "retry after "] {
            assert_eq!(in_message(text), None, "{text}");
        }
    }

    #[test]
    fn a_number_of_something_else_is_no_wait() {
        for text in [
            "Try again in 2 months.",
            "Try again in 3 billing periods",
            "retry after 2026-01-01T00:00:00Z",
            "retry after 12:30 UTC",
            "available in 1/2027",
            "try again in 10-20 seconds",
        ] {
            assert_eq!(in_message(text), None, "{text}");
        }
        assert!(close(wanted(&[], "Try again in 2 weeks.", 0.0), LONGEST_SECONDS));
    }

    #[test]
    fn a_wait_of_nothing_names_none() {
        let past = "Sun, 06 Nov 1994 08:49:37 GMT";
        for (name, value) in [
            ("Retry-After", "0"),
            ("Retry-After", past),
            ("retry-after-ms", "0"),
            ("retry-after-ms", "-5"),
            ("x-ratelimit-reset", "1600000000"),
            ("x-ratelimit-reset-tokens", "0s"),
        ] {
            let said = headers(&[(name, value)]);
            assert_eq!(wanted(&said, "", 1_700_000_000.0), None, "{name}: {value}");
            let other = wanted(&said, "try again in 9s", 1_700_000_000.0);
            assert!(close(other, 9.0), "{name}: {value}");
        }
        assert_eq!(wanted(&[], r#"{"retry_after":0}"#, 0.0), None);
    }

    #[test]
    fn dates_count_from_now() {
        assert!(close(http_date("Sun, 06 Nov 1994 08:49:37 GMT"), 784_111_777.0));
        assert!(close(http_date("Thu, 29 Feb 2024 00:00:00 GMT"), 1_709_164_800.0));
        assert!(close(retry_after("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_770.0), 7.0));
        assert!(close(retry_after("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_999.0), 0.0));
        assert_eq!(http_date("Sun, 06 Nov 1994 08:49:37 CET"), None);
        assert_eq!(retry_after("-5", 0.0), None);
    }

    #[test]
    fn an_empty_bucket_beats_a_full_one() {
        let both = headers(&[
            ("X-RateLimit-Remaining-Requests", "10"),
            ("x-ratelimit-reset-requests", "6m0s"),
            ("x-ratelimit-remaining-tokens", "0"),
            ("x-ratelimit-reset-tokens", "1.5s"),
        ]);
        assert!(close(wanted(&both, "", 0.0), 1.5));
        let neither = headers(&[
            ("x-ratelimit-reset-requests", "28ms"),
            ("x-ratelimit-reset-tokens", "7m12.5s"),
        ]);
        assert!(close(wanted(&neither, "", 0.0), 432.5));
        assert!(close(wanted(&neither, "try again in 9s", 0.0), 9.0));
        let all = headers(&[("x-ratelimit-reset-tokens", "1s"), ("Retry-After", "4")]);
        assert!(close(wanted(&all, "try again in 9s", 0.0), 4.0));
        assert!(close(wanted(&headers(&[("retry-after-ms", "1500")]), "", 0.0), 1.5));
        let point = headers(&[("X-RateLimit-Reset", "1700000060000")]);
        assert!(close(wanted(&point, "", 1_700_000_000.0), 60.0));
        assert_eq!(wanted(&[], "", 0.0), None);
    }

    proptest! {
        #[test]
        fn a_written_duration_is_read_back(hours in 0u32..50, minutes in 0u32..60, millis in 0u32..60_000) {
            let seconds = f64::from(millis) / 1000.0;
            let expected = f64::from(hours) * 3600.0 + f64::from(minutes) * 60.0 + seconds;
            let compact = format!("{hours}h{minutes}m{seconds}s");
            let prose = format!("{hours} hours, {minutes} minutes and {seconds} seconds");
            prop_assert!((duration(&compact).unwrap() - expected).abs() < 1e-6, "{}", compact);
            prop_assert!((duration(&prose).unwrap() - expected).abs() < 1e-6, "{}", prose);
            let sentence = format!("Limit reached. Please try again in {compact}. Thanks.");
            prop_assert!((in_message(&sentence).unwrap() - expected).abs() < 1e-6, "{}", sentence);
        }

        #[test]
        fn any_text_gives_a_usable_wait_or_none(
            header in "\\PC{0,40}|-?[0-9]{1,30}([.][0-9]{1,9})?(ms|s|m|h|d|e9)?",
            message in "\\PC{0,80}|try again in [0-9]{1,30}(ms|s|m|h|d)",
            now in 0.0f64..4e9,
        ) {
            for name in ["retry-after", "x-ratelimit-reset-tokens", "x-ratelimit-reset", "retry-after-ms"] {
                if let Some(seconds) = wanted(&headers(&[(name, &header)]), &message, now) {
                    prop_assert!(seconds > 0.0 && seconds <= LONGEST_SECONDS);
                }
            }
        }

        #[test]
        fn every_date_is_read_back(seconds in 0i64..4_000_000_000) {
            // The inverse, by counting days one by one from a known year.
            let (mut days, rest) = (seconds / 86_400, seconds % 86_400);
            let leap = |year: i64| (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
            let mut year = 1970;
            while days >= if leap(year) { 366 } else { 365 } {
                days -= if leap(year) { 366 } else { 365 };
                year += 1;
            }
            let lengths = [31, if leap(year) { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
            let mut month = 0;
            while days >= lengths[month] {
                days -= lengths[month];
                month += 1;
            }
            let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
            let text = format!(
                "Mon, {:02} {} {year} {:02}:{:02}:{:02} GMT",
                days + 1, names[month], rest / 3600, rest % 3600 / 60, rest % 60
            );
            prop_assert_eq!(http_date(&text), Some(seconds as f64));
        }
    }
}
