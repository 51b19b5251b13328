//! Hosts: names, and addresses of both versions of the Internet protocol.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::{
    percent::{self, decode, encode},
    record::Bad,
};

/// A host as it is written in an address.
pub(super) fn parse(text: &str, special: bool) -> Result<String, Bad> {
    if let Some(inner) = text.strip_prefix('[') {
        let inner = inner.strip_suffix(']').ok_or(Bad::Address)?;
        let address: Ipv6Addr = inner.parse().map_err(|_| Bad::Address)?;
        return Ok(format!("[{}]", written(address)));
    }
    let forbidden = |c: char| c <= ' ' || "#/:<>?@[\\]^|".contains(c);
    if !special {
        let bad = text.contains(forbidden);
        return if bad { Err(Bad::Address) } else { Ok(encode(text, percent::control)) };
    }
    let name = decode(text);
    if !name.is_ascii() {
        return Err(Bad::Letters);
    }
    if name.contains(|c: char| forbidden(c) || c == '%' || c == '\x7f') {
        return Err(Bad::Address);
    }
    let name = name.to_ascii_lowercase();
    match number(&name) {
        Some(address) => address.map(|address| address.to_string()),
        None => Ok(name),
    }
}

/// The longest run of zeros, two groups at least, is left out.
fn written(address: Ipv6Addr) -> String {
    let groups = address.segments();
    let mut best = (0, 0);
    for start in 0..groups.len() {
        let run = groups.iter().skip(start).take_while(|group| **group == 0).count();
        if run > 1 && run > best.1 {
            best = (start, run);
        }
    }
    let text =
        |part: &[u16]| part.iter().map(|group| format!("{group:x}")).collect::<Vec<_>>().join(":");
    if best.1 == 0 {
        return text(&groups);
    }
    let head = groups.get(..best.0).unwrap_or_default();
    let tail = groups.get(best.0 + best.1..).unwrap_or_default();
    format!("{}::{}", text(head), text(tail))
}

/// A host whose last part is a number has to be an address of version 4.
fn number(name: &str) -> Option<Result<Ipv4Addr, Bad>> {
    let name = name.strip_suffix('.').unwrap_or(name);
    let last = name.rsplit('.').next()?;
    let digits = !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit());
    if !digits && part(last).is_none() {
        return None;
    }
    Some(version_4(name).ok_or(Bad::Address))
}

fn version_4(name: &str) -> Option<Ipv4Addr> {
    let parts: Vec<u64> = name.split('.').map(part).collect::<Option<_>>()?;
    let (last, first) = parts.split_last()?;
    let room = 256_u64.checked_pow(u32::try_from(4_usize.checked_sub(first.len())?).ok()?)?;
    if first.iter().any(|part| *part > 255) || *last >= room || first.len() > 3 {
        return None;
    }
    let mut address = *last;
    for (index, part) in first.iter().enumerate() {
        address += part << (24 - 8 * index);
    }
    Some(Ipv4Addr::from(u32::try_from(address).ok()?))
}

/// A part in decimal, octal (`0…`) or hexadecimal (`0x…`).
fn part(text: &str) -> Option<u64> {
    if let Some(digits) = text.strip_prefix("0x") {
        let digits = if digits.is_empty() { "0" } else { digits };
        return u64::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'));
    }
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let radix = if text.len() > 1 && text.starts_with('0') { 8 } else { 10 };
    u64::from_str_radix(text, radix).ok()
}
