//! Dates and times as text: single fields in the locale's order, or its whole styles.
//!
//! Border: takes checked options and gives parts; the calendar is the Gregorian one.
//!
//! A pattern is text with fields: `%y` year, `%Y` its last two digits, `%m` `%M` month in at least
//! one or two digits, `%B` `%b` its long or short name, `%L` `%l` the names that stand alone, `%d`
//! `%D` day, `%W` `%w` `%v` weekday long, short, short beside others, `%h` `%H` hour, `%i` `%I`
//! minute in two digits or as few, `%S` `%s` second, `%a` half of the day, `%z` `%Z` zone short or long, `%%` a percent sign.

use jiff::{Timestamp, Zoned, fmt::temporal::DateTimeParser, tz::TimeZone};
use strum::{EnumString, VariantNames};

use super::locales::{Field, Locale};

/// A piece of formatted text, as `formatToParts` tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Part {
    /// The name of its kind in the language's standard: `year`, `month`, `literal`, …
    pub(crate) kind: &'static str,
    /// The text.
    pub(crate) text: String,
}

/// A zone by its name in any case, or an offset such as `+05:30`.
pub(crate) fn zone(name: &str) -> Option<TimeZone> {
    DateTimeParser::new().parse_time_zone(name).ok().filter(|zone| !zone.is_unknown())
}

/// How a number is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "camelCase")]
pub(crate) enum Numeric {
    Numeric,
    #[strum(serialize = "2-digit")]
    TwoDigit,
}

/// How a name is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "camelCase")]
pub(crate) enum Name {
    Long,
    Short,
    Narrow,
}

/// How a month is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "camelCase")]
pub(crate) enum Month {
    Numeric,
    #[strum(serialize = "2-digit")]
    TwoDigit,
    Long,
    Short,
    Narrow,
}

/// How a zone is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "camelCase")]
pub(crate) enum ZoneName {
    Short,
    Long,
    ShortOffset,
    LongOffset,
}

/// The hours of a day: 0–11, 1–12, 0–23 or 1–24.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "camelCase")]
pub(crate) enum Cycle {
    H11,
    H12,
    H23,
    H24,
}

impl Cycle {
    pub(crate) fn is_twelve(self) -> bool {
        matches!(self, Self::H11 | Self::H12)
    }
}

/// The fields that are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Fields {
    pub(crate) weekday: Option<Name>,
    pub(crate) year: Option<Numeric>,
    pub(crate) month: Option<Month>,
    pub(crate) day: Option<Numeric>,
    pub(crate) hour: Option<Numeric>,
    pub(crate) minute: Option<Numeric>,
    pub(crate) second: Option<Numeric>,
    /// Digits of a second, 0 to 3.
    pub(crate) fraction: usize,
    pub(crate) zone: Option<ZoneName>,
}

/// A whole style; its place is that of its pattern in the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "camelCase")]
pub(crate) enum Style {
    Full,
    Long,
    Medium,
    Short,
}

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Fields(Fields),
    Styles { date: Option<Style>, time: Option<Style> },
}

/// All of it.
#[derive(Debug, Clone)]
pub(crate) struct DateFormat {
    pub(crate) locale: Locale,
    pub(crate) zone: TimeZone,
    pub(crate) cycle: Cycle,
    pub(crate) shape: Shape,
}

/// The cycle of a locale, changed by `hour12`.
pub(crate) fn cycle(locale: &Locale, twelve: Option<bool>) -> Cycle {
    let usual = locale.text(Field::Twelve) == "true";
    match twelve {
        None if usual => Cycle::H12,
        None => Cycle::H23,
        Some(true) if locale.language() == "ja" => Cycle::H11,
        Some(true) => Cycle::H12,
        // Where the clock has twelve hours, the one with 24 begins at 1.
        Some(false) if usual => Cycle::H24,
        Some(false) => Cycle::H23,
    }
}

/// Milliseconds of 400 years.
const ROUND: i64 = 146_097 * 86_400_000;

impl DateFormat {
    /// The parts for a time in milliseconds since the epoch.
    pub(crate) fn parts(&self, milliseconds: i64) -> Vec<Part> {
        // The library ends at the year 9999, but the calendar is the same again after 400 years.
        let known = Timestamp::from_millisecond(milliseconds).is_ok();
        let rounds = if known { 0 } else { milliseconds.div_euclid(ROUND) };
        let time = Timestamp::from_millisecond(milliseconds - rounds * ROUND).unwrap_or_default();
        let time = time.to_zoned(self.zone.clone());
        let year = i64::from(time.year()) + rounds * 400;
        let (pattern, fields) = match self.shape {
            Shape::Fields(fields) => (self.fields_pattern(&fields), fields),
            Shape::Styles { date, time } => (self.styles_pattern(date, time), Fields::default()),
        };
        self.fill(&pattern, &fields, (&time, year))
    }

    /// The text for a time. Its narrow spaces become plain ones, as in Node, whose users compare
    /// such texts; the parts keep them.
    pub(crate) fn text(&self, milliseconds: i64) -> String {
        let text: String = self.parts(milliseconds).into_iter().map(|part| part.text).collect();
        text.replace('\u{202f}', " ")
    }

    fn styles_pattern(&self, date: Option<Style>, time: Option<Style>) -> String {
        let date_pattern = date.map(|style| self.locale.item(Field::DateStyles, style as usize));
        let time_pattern = time.map(|style| self.time_style(style));
        match (date_pattern, date, time_pattern) {
            (Some(pattern), Some(style), Some(time)) => {
                let glue = self.locale.item(Field::Glue, 7 - style as usize);
                format!("{pattern}{glue}{time}")
            }
            (Some(pattern), ..) => pattern.to_owned(),
            (None, _, time) => time.unwrap_or_default(),
        }
    }

    fn time_style(&self, style: Style) -> String {
        let usual = self.locale.text(Field::Twelve) == "true";
        if self.cycle.is_twelve() == usual {
            return self.locale.item(Field::TimeStyles, style as usize).to_owned();
        }
        let zone = match style {
            Style::Full => " %Z",
            Style::Long => " %z",
            Style::Medium | Style::Short => "",
        };
        format!("{}{zone}", self.clock(if style == Style::Short { 1 } else { 2 }))
    }

    /// Hour (0), with minutes (1), with seconds (2).
    fn clock(&self, precision: usize) -> &'static str {
        let first = if self.cycle.is_twelve() { 0 } else { 3 };
        self.locale.item(Field::Times, first + precision)
    }

    fn fields_pattern(&self, fields: &Fields) -> String {
        let date = self.date_pattern(fields);
        let mut time = self.time_pattern(fields);
        let glue = match (fields.month, fields.weekday) {
            (Some(Month::Long), Some(Name::Long)) => 3,
            (Some(Month::Long), _) => 2,
            (Some(Month::Short | Month::Narrow), _) => 1,
            _ => 0,
        };
        if let Some(zone) = fields.zone {
            if !time.is_empty() {
                time.push(' ');
            }
            time.push_str(if zone == ZoneName::Short { "%z" } else { "%Z" });
        }
        if date.is_empty() || time.is_empty() {
            return date + &time;
        }
        let alone = fields.day.is_none() && fields.month.is_none() && fields.year.is_none();
        let glue =
            if alone && self.cycle.is_twelve() { " " } else { self.locale.item(Field::Glue, glue) };
        format!("{date}{glue}{time}")
    }

    fn date_pattern(&self, fields: &Fields) -> String {
        let month = match fields.month {
            None => 0,
            Some(Month::Numeric | Month::TwoDigit) => 1,
            Some(Month::Short | Month::Narrow) => 2,
            Some(Month::Long) => 3,
        };
        let index =
            usize::from(fields.year.is_some()) * 8 + month * 2 + usize::from(fields.day.is_some());
        match fields.weekday {
            None => self.locale.item(Field::Dates, index).to_owned(),
            Some(Name::Short | Name::Narrow) => {
                self.locale.item(Field::Dates, 16 + index).to_owned()
            }
            Some(Name::Long) => match self.locale.item(Field::Dates, 32 + index) {
                "" => {
                    let short = self.locale.item(Field::Dates, 16 + index);
                    short.replace("%w", "%W").replace("%v", "%W")
                }
                own => own.to_owned(),
            },
        }
    }

    fn time_pattern(&self, fields: &Fields) -> String {
        let pattern = match (fields.hour, fields.minute, fields.second) {
            (Some(_), None, None) => self.clock(0),
            (Some(_), Some(_), None) => self.clock(1),
            (Some(_), _, Some(_)) => self.clock(2),
            (None, Some(_), Some(_)) => self.locale.text(Field::MinuteSecond),
            (None, Some(_), None) => "%I",
            (None, None, Some(_)) => "%s",
            (None, None, None) => "",
        };
        if fields.fraction == 0 {
            return pattern.to_owned();
        }
        if fields.second.is_none() {
            return format!("{pattern}%f");
        }
        let decimal = self.locale.text(Field::Decimal);
        pattern.replace("%S", &format!("%S{decimal}%f")).replace("%s", &format!("%s{decimal}%f"))
    }

    fn fill(&self, pattern: &str, fields: &Fields, time: (&Zoned, i64)) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        let mut chars = pattern.chars();
        while let Some(c) = chars.next() {
            let (kind, text) = match c {
                '%' => self.field(chars.next().unwrap_or('%'), fields, time),
                _ => ("literal", String::from(c)),
            };
            match parts.last_mut() {
                Some(last) if kind == "literal" && last.kind == "literal" => last.text += &text,
                _ => parts.push(Part { kind, text }),
            }
        }
        parts
    }

    fn field(
        &self,
        field: char,
        fields: &Fields,
        (time, year): (&Zoned, i64),
    ) -> (&'static str, String) {
        let two = |number: i8| format!("{number:02}");
        let number = |kind, number: i8, padded| {
            (kind, if padded { two(number) } else { number.to_string() })
        };
        let year = if year > 0 { year } else { 1 - year };
        let is_two = |numeric| numeric == Some(Numeric::TwoDigit);
        match field {
            'y' if !is_two(fields.year) => ("year", year.to_string()),
            'y' | 'Y' => ("year", format!("{:02}", year % 100)),
            'm' => number("month", time.month(), fields.month == Some(Month::TwoDigit)),
            'M' => ("month", two(time.month())),
            'B' | 'b' | 'L' | 'l' => ("month", self.month(field, fields, time)),
            'd' => number("day", time.day(), is_two(fields.day)),
            'D' => ("day", two(time.day())),
            'W' | 'w' | 'v' => ("weekday", self.weekday(field, fields, time)),
            'h' => number("hour", self.hour(time.hour()), is_two(fields.hour)),
            'H' => ("hour", two(self.hour(time.hour()))),
            'i' => ("minute", two(time.minute())),
            'I' => ("minute", time.minute().to_string()),
            'S' => ("second", two(time.second())),
            's' => ("second", time.second().to_string()),
            'f' => {
                let digits = format!("{:03}", time.millisecond());
                ("fractionalSecond", digits.get(..fields.fraction).unwrap_or(&digits).to_owned())
            }
            'a' => {
                let half = usize::from(time.hour() >= 12);
                ("dayPeriod", self.locale.item(Field::Periods, half).to_owned())
            }
            'z' => ("timeZoneName", self.zone_name(ZoneName::Short, time)),
            'Z' => ("timeZoneName", self.zone_name(fields.zone.unwrap_or(ZoneName::Long), time)),
            _ => ("literal", "%".into()),
        }
    }

    fn hour(&self, hour: i8) -> i8 {
        match self.cycle {
            Cycle::H11 => hour % 12,
            Cycle::H12 => (hour + 11) % 12 + 1,
            Cycle::H23 => hour,
            Cycle::H24 => (hour + 23) % 24 + 1,
        }
    }

    fn month(&self, field: char, fields: &Fields, time: &Zoned) -> String {
        let narrow = fields.month == Some(Month::Narrow);
        let source = match field {
            _ if narrow => Field::MonthsAlone,
            'B' => Field::Months,
            'b' => Field::MonthsShort,
            'L' => Field::MonthsAlone,
            _ => Field::MonthsShortAlone,
        };
        let name = self.locale.item(source, usize::try_from(time.month() - 1).unwrap_or(0));
        if narrow { first_letter(name) } else { name.to_owned() }
    }

    fn weekday(&self, field: char, fields: &Fields, time: &Zoned) -> String {
        let narrow = fields.weekday == Some(Name::Narrow);
        let source = match field {
            _ if narrow => Field::Weekdays,
            'W' => Field::Weekdays,
            'w' => Field::WeekdaysShort,
            _ => Field::WeekdaysShortIn,
        };
        let from_sunday = usize::try_from(time.weekday().to_sunday_zero_offset()).unwrap_or(0);
        let name = self.locale.item(source, from_sunday);
        if narrow { first_letter(name) } else { name.to_owned() }
    }

    fn zone_name(&self, width: ZoneName, time: &Zoned) -> String {
        let there = time.time_zone().to_offset_info(time.timestamp());
        let minutes = there.offset().seconds() / 60;
        let abbreviation = format!("{}{minutes}", there.abbreviation());
        let known = match width {
            ZoneName::Short => self.locale.value(Field::Zones, &abbreviation),
            ZoneName::Long => self.locale.value(Field::ZonesLong, &abbreviation),
            ZoneName::ShortOffset | ZoneName::LongOffset => None,
        };
        if let Some(name) = known.filter(|name| !name.is_empty()) {
            return name.to_owned();
        }
        let start = self.locale.item(Field::Gmt, 0);
        if minutes == 0 {
            return start.to_owned();
        }
        let sign = if minutes < 0 { self.locale.item(Field::Gmt, 1) } else { "+" };
        let (hours, rest) = (minutes.abs() / 60, minutes.abs() % 60);
        match (width, rest) {
            (ZoneName::Long | ZoneName::LongOffset, _) => {
                format!("{start}{sign}{hours:02}:{rest:02}")
            }
            (_, 0) => format!("{start}{sign}{hours}"),
            _ => format!("{start}{sign}{hours}:{rest:02}"),
        }
    }
}

/// A narrow name, near enough for the languages here: its first letter as a capital.
fn first_letter(name: &str) -> String {
    name.chars().take(1).flat_map(char::to_uppercase).collect()
}
