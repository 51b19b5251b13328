//! Time zones: a name, and the rule by which its clocks go today.
//!
//! Border: the rule of today is used for all times. What a zone did before its last change of rule
//! (summer time before 2007 in America, for example) is not known here.

/// Each line: a rule as at the end of a zone file, then the names of the zones that follow it.
const RULES: &str = include_str!("data/zones.txt");

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
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Zone {
    /// As the database spells it, or an offset such as `+05:30`.
    pub(crate) name: String,
    rule: Rule,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    standard: (&'static str, i64),
    summer: Option<Summer>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Summer {
    name: &'static str,
    offset: i64,
    start: Change,
    end: Change,
}

/// The `week`th `weekday` of a month (the fifth is the last), and the second of that day.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Change {
    month: i64,
    week: i64,
    weekday: i64,
    second: i64,
}

impl Zone {
    /// Coordinated Universal Time.
    pub(crate) fn utc() -> Self {
        Self { name: "UTC".into(), rule: Rule { standard: ("UTC", 0), summer: None } }
    }

    /// By its name in any case, or an offset.
    pub(crate) fn find(name: &str) -> Option<Self> {
        if let Some(seconds) = fixed(name) {
            let minutes = seconds.abs() / 60;
            let sign = if seconds < 0 { '-' } else { '+' };
            let name = format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60);
            return Some(Self { name, rule: Rule { standard: ("", seconds), summer: None } });
        }
        // As it is usually spelt, it is found at once.
        let exact = RULES.match_indices(name).map(|(at, _)| line_at(at)).find_map(|line| {
            line.split(' ').skip(1).find(|known| *known == name).map(|known| (line, known))
        });
        let (line, name) = exact.or_else(|| {
            RULES.lines().find_map(|line| {
                let mut words = line.split(' ').skip(1);
                words.find(|known| known.eq_ignore_ascii_case(name)).map(|known| (line, known))
            })
        })?;
        Some(Self { name: name.into(), rule: parse(line.split(' ').next()?)? })
    }

    /// Offset from UTC in seconds, and abbreviation, at a time in seconds since the epoch.
    pub(crate) fn at(&self, seconds: i64) -> (i64, &'static str) {
        let (name, offset) = self.rule.standard;
        let Some(summer) = &self.rule.summer else { return (offset, name) };
        let (year, _, _) = civil_from_days((seconds + offset).div_euclid(86_400));
        let start = summer.start.in_year(year) - offset;
        let end = summer.end.in_year(year) - summer.offset;
        let inside = if start < end {
            (start..end).contains(&seconds)
        } else {
            !(end..start).contains(&seconds)
        };
        if inside { (summer.offset, summer.name) } else { (offset, name) }
    }
}

impl Change {
    /// In local seconds since the epoch.
    fn in_year(&self, year: i64) -> i64 {
        let first = days_from_civil(year, self.month, 1);
        // The epoch was a Thursday.
        let weekday = (first + 4).rem_euclid(7);
        let mut day = first + (self.weekday - weekday).rem_euclid(7) + (self.week - 1) * 7;
        let next = if self.month == 12 {
            days_from_civil(year + 1, 1, 1)
        } else {
            days_from_civil(year, self.month + 1, 1)
        };
        if day >= next {
            day -= 7;
        }
        day * 86_400 + self.second
    }
}

/// The line of the table around a place in it.
fn line_at(at: usize) -> &'static str {
    let (before, after) = RULES.split_at_checked(at).unwrap_or_default();
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let end = after.find('\n').map_or(RULES.len(), |end| at + end);
    RULES.get(start..end).unwrap_or_default()
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
    let hours: i64 = digits.get(..2)?.parse().ok()?;
    let minutes: i64 = digits
        .get(2..)
        .filter(|rest| !rest.is_empty())
        .map_or(Some(0), |rest| rest.parse().ok())?;
    (hours < 24 && minutes < 60).then_some(sign * (hours * 3_600 + minutes * 60))
}

/// A rule as POSIX writes it, for example `CET-1CEST,M3.5.0,M10.5.0/3`.
fn parse(rule: &'static str) -> Option<Rule> {
    let mut parts = rule.split(',');
    let names = parts.next()?;
    let (name, rest) = abbreviation(names)?;
    let (offset, rest) = offset(rest)?;
    if rest.is_empty() {
        return Some(Rule { standard: (name, offset), summer: None });
    }
    let (summer, rest) = abbreviation(rest)?;
    let later = if rest.is_empty() { offset + 3_600 } else { self::offset(rest)?.0 };
    let (start, end) = (change(parts.next()?)?, change(parts.next()?)?);
    let summer = Summer { name: summer, offset: later, start, end };
    Some(Rule { standard: (name, offset), summer: Some(summer) })
}

fn abbreviation(text: &'static str) -> Option<(&'static str, &'static str)> {
    if let Some(text) = text.strip_prefix('<') {
        return text.split_once('>');
    }
    text.split_at_checked(text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len()))
}

/// An offset, turned to east-positive seconds, and what follows.
fn offset(text: &'static str) -> Option<(i64, &'static str)> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let end = digits.find(|c: char| !c.is_ascii_digit() && c != ':').unwrap_or(digits.len());
    let (own, rest) = digits.split_at_checked(end)?;
    let seconds = time(own)?;
    Some((if text.starts_with('-') { seconds } else { -seconds }, rest))
}

/// `2`, `5:30` or `-1` hours in seconds.
fn time(text: &str) -> Option<i64> {
    let (hours, minutes) = text.split_once(':').unwrap_or((text, "0"));
    let hours: i64 = hours.parse().ok()?;
    let minutes: i64 = minutes.parse().ok()?;
    Some(hours * 3_600 + if hours < 0 { -minutes * 60 } else { minutes * 60 })
}

/// `M3.5.0` or `M10.5.0/3`.
fn change(text: &str) -> Option<Change> {
    let (day, second) = text.split_once('/').unwrap_or((text, "2"));
    let mut numbers = day.strip_prefix('M')?.split('.').map(str::parse::<i64>);
    let month = numbers.next()?.ok()?;
    let week = numbers.next()?.ok()?;
    let weekday = numbers.next()?.ok()?;
    Some(Change { month, week, weekday, second: time(second)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_can_be_read() {
        for line in RULES.lines() {
            let rule = line.split(' ').next().unwrap_or_default();
            assert!(parse(rule).is_some(), "{rule}");
        }
    }

    #[test]
    fn days_and_dates_are_inverse() {
        for days in (-800_000..800_000).step_by(997) {
            let (year, month, day) = civil_from_days(days);
            assert_eq!(days_from_civil(year, month, day), days);
        }
        assert_eq!(civil_from_days(19_782), (2024, 2, 29));
    }

    #[test]
    fn clocks_change_at_the_rules_second() {
        let at = |name: &str, seconds: i64| Zone::find(name).map(|zone| zone.at(seconds));
        // 2024-03-31T01:00:00Z
        assert_eq!(at("europe/berlin", 1_711_846_799), Some((3_600, "CET")));
        assert_eq!(at("Europe/Berlin", 1_711_846_800), Some((7_200, "CEST")));
        // Southern summer holds over New Year: 2024-01-01T00:00:00Z.
        assert_eq!(at("Australia/Sydney", 1_704_067_200), Some((39_600, "AEDT")));
        assert_eq!(at("Asia/Kolkata", 0), Some((19_800, "IST")));
        assert_eq!(at("America/St_Johns", 1_720_000_000), Some((-9_000, "NDT")));
        // Ireland's winter is its other time: 2024-01-01.
        assert_eq!(at("Europe/Dublin", 1_704_067_200), Some((0, "GMT")));
        assert_eq!(at("+05:30", 0), Some((19_800, "")));
        assert_eq!(at("Mars/Base", 0), None);
    }
}
