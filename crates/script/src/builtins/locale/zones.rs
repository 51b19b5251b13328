//! Time zones and days of the calendar.

use jiff::{Timestamp, tz::TimeZone};

/// Days from the epoch to a date of the Gregorian calendar.
pub(crate) fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March, so that the leap day is the last.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Year, month and day of a day counted from the epoch.
pub(crate) fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

/// A zone.
#[derive(Debug, Clone)]
pub(crate) struct Zone {
    /// As the database spells it, or an offset such as `+05:30`.
    pub(crate) name: String,
    rule: Rule,
}

#[derive(Debug, Clone)]
enum Rule {
    /// Seconds east of UTC.
    Fixed(i64),
    Known(TimeZone),
}

impl Zone {
    /// Coordinated Universal Time.
    pub(crate) fn utc() -> Self {
        Self { name: "UTC".into(), rule: Rule::Known(TimeZone::UTC) }
    }

    /// By its name in any case, or an offset.
    pub(crate) fn find(name: &str) -> Option<Self> {
        if let Some(seconds) = fixed(name) {
            let minutes = seconds.abs() / 60;
            let sign = if seconds < 0 { '-' } else { '+' };
            let name = format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60);
            return Some(Self { name, rule: Rule::Fixed(seconds) });
        }
        let zone = TimeZone::get(name).ok().filter(|zone| !zone.is_unknown())?;
        Some(Self { name: zone.iana_name()?.to_owned(), rule: Rule::Known(zone) })
    }

    /// Offset from UTC in seconds, and abbreviation, at a time in seconds since the epoch. Beyond
    /// the years that the database can tell of, the nearest of them counts.
    pub(crate) fn at(&self, seconds: i64) -> (i64, String) {
        match &self.rule {
            Rule::Fixed(seconds) => (*seconds, String::new()),
            Rule::Known(zone) => {
                let (first, last) = (Timestamp::MIN, Timestamp::MAX);
                let seconds = seconds.clamp(first.as_second(), last.as_second());
                let time = Timestamp::from_second(seconds).unwrap_or_default();
                let there = zone.to_offset_info(time);
                (there.offset().seconds().into(), there.abbreviation().to_owned())
            }
        }
    }
}

/// `+05:30`, `-0800` or `+01` in seconds.
fn fixed(text: &str) -> Option<i64> {
    let sign = match text.chars().next()? {
        '+' => 1,
        '-' => -1,
        _ => return None,
    };
    let digits = text.get(1..)?;
    let digits = if digits.len() == 5 { digits.replacen(':', "", 1) } else { digits.to_owned() };
    if !matches!(digits.len(), 2 | 4) || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number: i64 = format!("{digits:0<4}").parse().ok()?;
    let (hours, minutes) = (number / 100, number % 100);
    (hours < 24 && minutes < 60).then_some(sign * (hours * 3_600 + minutes * 60))
}
