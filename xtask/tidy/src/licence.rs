//! Evaluates SPDX expressions against a list of licences.

/// Whether what is allowed satisfies an expression such as `MIT OR (Apache-2.0 AND ISC)`.
/// The old form `MIT/Apache-2.0` means `OR`.
pub fn satisfied(expression: &str, allowed: &dyn Fn(&str) -> bool) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let tokens: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = tokens.as_slice();
    let value = any(&mut rest, allowed);
    // Something that is left over was not understood.
    value && rest.is_empty()
}

fn any(rest: &mut &[&str], allowed: &dyn Fn(&str) -> bool) -> bool {
    let mut value = all(rest, allowed);
    while let [first, after @ ..] = *rest
        && *first == "OR"
    {
        *rest = after;
        // Both sides are read, whatever the first one says.
        value = all(rest, allowed) || value;
    }
    value
}

fn all(rest: &mut &[&str], allowed: &dyn Fn(&str) -> bool) -> bool {
    let mut value = one(rest, allowed);
    while let [first, after @ ..] = *rest
        && *first == "AND"
    {
        *rest = after;
        value = one(rest, allowed) && value;
    }
    value
}

fn one(rest: &mut &[&str], allowed: &dyn Fn(&str) -> bool) -> bool {
    match *rest {
        ["(", after @ ..] => {
            *rest = after;
            let value = any(rest, allowed);
            match *rest {
                [")", after @ ..] => {
                    *rest = after;
                    value
                }
                _ => false,
            }
        }
        [name, "WITH", exception, after @ ..] => {
            *rest = after;
            allowed(&format!("{name} WITH {exception}"))
        }
        [name, after @ ..] => {
            *rest = after;
            allowed(name)
        }
        [] => false,
    }
}

#[cfg(test)]
mod tests {
    use super::satisfied;

    #[test]
    fn expressions_are_understood() {
        let allowed = |name: &str| ["MIT", "ISC", "Apache-2.0 WITH LLVM-exception"].contains(&name);
        for (expression, expected) in [
            ("MIT", true),
            ("GPL-3.0", false),
            ("GPL-3.0 OR MIT", true),
            ("MIT/GPL-3.0", true),
            ("MIT AND GPL-3.0", false),
            ("(GPL-3.0 OR MIT) AND ISC", true),
            ("Apache-2.0 WITH LLVM-exception", true),
            ("Apache-2.0", false),
            ("GPL-3.0 OR (MIT AND BSD)", false),
            ("(MIT", false),
            ("MIT ISC", false),
            ("", false),
        ] {
            assert_eq!(satisfied(expression, &allowed), expected, "{expression}");
        }
    }
}
