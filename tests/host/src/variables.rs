//! Variables: what the manifest declares, what the caller supplies, what a component sees.
//! Pure; the environment is read by the caller.

use std::collections::{BTreeMap, HashMap};
use std::sync::{PoisonError, RwLock};

use crate::manifest::{Component, VariableDeclaration};
use crate::template::Template;

/// Why a variable has no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VariableError {
    /// The name breaks Spin's rules for names.
    #[error(
        "{0:?} is no variable name: use lower-case letters, digits and single underscores between them, a letter first"
    )]
    InvalidName(String),
    /// The manifest declares no such variable, or not for this component.
    #[error("variable {0:?} is not declared in the manifest")]
    Undefined(String),
    /// A required variable was given no value.
    #[error(
        "variable {0:?} is required: set SPIN_VARIABLE_{upper} or give it a default in the manifest",
        upper = .0.to_ascii_uppercase()
    )]
    Missing(String),
    /// A declaration that is neither required nor has a default.
    #[error("variable {0:?} needs a default, or required = true")]
    NoDefault(String),
    /// A template whose braces do not match.
    #[error("unmatched '{{{{' in {0:?}")]
    BadTemplate(String),
}

/// The values of all declared variables.
#[derive(Default)]
pub struct Variables(HashMap<String, String>);

/// Names only: a value may be a secret.
impl std::fmt::Debug for Variables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

impl Variables {
    /// Takes each declared variable from `supplied`, else from its default. A supplied one that
    /// is not declared is a mistake.
    pub fn resolve(
        declared: &BTreeMap<String, VariableDeclaration>,
        supplied: &HashMap<String, String>,
    ) -> Result<Self, VariableError> {
        if let Some(unknown) = supplied.keys().find(|name| !declared.contains_key(*name)) {
            return Err(VariableError::Undefined(unknown.clone()));
        }
        let mut values = HashMap::new();
        for (name, declaration) in declared {
            check_name(name)?;
            let value = match (supplied.get(name), &declaration.default) {
                (Some(value), _) => value,
                (None, Some(default)) => default,
                (None, None) if declaration.required => {
                    return Err(VariableError::Missing(name.clone()));
                }
                (None, None) => return Err(VariableError::NoDefault(name.clone())),
            };
            values.insert(name.clone(), value.clone());
        }
        Ok(Self(values))
    }

    /// Gives one another value.
    ///
    /// # Errors
    /// [`VariableError::Undefined`] when none has this name.
    pub fn change(&mut self, name: &str, value: &str) -> Result<(), VariableError> {
        let held = self.0.get_mut(name).ok_or_else(|| VariableError::Undefined(name.to_owned()))?;
        value.clone_into(held);
        Ok(())
    }

    /// A template with the values filled in.
    pub fn fill(&self, template: &Template) -> Result<String, VariableError> {
        template.fill(|name| {
            self.0
                .get(name)
                .map(String::as_str)
                .ok_or_else(|| VariableError::Undefined(name.to_owned()))
        })
    }

    /// The variables of one component, filled in.
    ///
    /// # Errors
    /// When a name or a template is none, or names what is not declared.
    pub fn for_component(
        &self,
        component: &Component,
    ) -> Result<HashMap<String, String>, VariableError> {
        let mut values = HashMap::new();
        for (name, template) in &component.variables {
            check_name(name)?;
            values.insert(name.clone(), self.fill(&Template::parse(template)?)?);
        }
        Ok(values)
    }
}

/// What one component sees through `spin:variables`. It may change while the component runs.
#[derive(Default)]
pub struct ComponentVariables(RwLock<HashMap<String, String>>);

/// Names only: a value may be a secret.
impl std::fmt::Debug for ComponentVariables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let values = self.0.read().unwrap_or_else(PoisonError::into_inner);
        f.debug_set().entries(values.keys()).finish()
    }
}

impl ComponentVariables {
    /// Shows other values from now on.
    pub fn replace(&self, values: HashMap<String, String>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = values;
    }

    /// The value of a variable that the component was granted.
    ///
    /// # Errors
    /// [`VariableError::Undefined`] when it was not.
    pub fn get(&self, name: &str) -> Result<String, VariableError> {
        check_name(name)?;
        let values = self.0.read().unwrap_or_else(PoisonError::into_inner);
        values.get(name).cloned().ok_or_else(|| VariableError::Undefined(name.to_owned()))
    }
}

/// The declared variables among an environment's entries, `SPIN_VARIABLE_<NAME>`. Others may be
/// another application's.
pub fn from_environment(
    declared: &BTreeMap<String, VariableDeclaration>,
    entries: impl IntoIterator<Item = (String, String)>,
) -> HashMap<String, String> {
    entries
        .into_iter()
        .filter_map(|(key, value)| {
            Some((key.strip_prefix("SPIN_VARIABLE_")?.to_ascii_lowercase(), value))
        })
        .filter(|(name, _)| declared.contains_key(name))
        .collect()
}

fn check_name(name: &str) -> Result<(), VariableError> {
    let good = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.ends_with(|c: char| c.is_ascii_alphanumeric())
        && !name.contains("__")
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if good { Ok(()) } else { Err(VariableError::InvalidName(name.to_owned())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(default: Option<&str>, required: bool) -> BTreeMap<String, VariableDeclaration> {
        let declaration = VariableDeclaration {
            default: default.map(str::to_owned),
            required,
            ..Default::default()
        };
        BTreeMap::from([("api_key".to_owned(), declaration)])
    }

    fn supplied(value: &str) -> HashMap<String, String> {
        HashMap::from([("api_key".to_owned(), value.to_owned())])
    }

    fn component(name: &str, template: &str) -> Component {
        Component {
            variables: BTreeMap::from([(name.to_owned(), template.to_owned())]),
            ..Default::default()
        }
    }

    #[test]
    fn a_supplied_value_beats_the_default() {
        let variables = Variables::resolve(&declared(Some("d"), false), &supplied("s")).unwrap();
        let seen = variables.for_component(&component("key", "<{{ api_key }}>")).unwrap();
        assert_eq!(seen["key"], "<s>");
        let variables = Variables::resolve(&declared(Some("d"), false), &HashMap::new()).unwrap();
        let seen = variables.for_component(&component("key", "{{ api_key }}")).unwrap();
        assert_eq!(seen["key"], "d");
    }

    #[test]
    fn a_required_variable_must_be_supplied() {
        let missing = Variables::resolve(&declared(None, true), &HashMap::new()).unwrap_err();
        assert!(missing.to_string().contains("SPIN_VARIABLE_API_KEY"), "{missing}");
        assert!(Variables::resolve(&declared(None, true), &supplied("")).is_ok());
        assert_eq!(
            Variables::resolve(&declared(None, false), &HashMap::new()).unwrap_err(),
            VariableError::NoDefault("api_key".to_owned())
        );
    }

    #[test]
    fn a_misspelt_variable_is_refused_and_no_value_is_shown() {
        assert_eq!(
            Variables::resolve(&BTreeMap::new(), &supplied("s3cret")).unwrap_err(),
            VariableError::Undefined("api_key".to_owned())
        );
        let variables = Variables::resolve(&declared(None, true), &supplied("s3cret")).unwrap();
        assert_eq!(format!("{variables:?}"), "{\"api_key\"}");
    }

    #[test]
    fn a_component_sees_only_what_it_is_granted() {
        let variables = Variables::resolve(&declared(Some("d"), false), &HashMap::new()).unwrap();
        let seen = ComponentVariables::default();
        seen.replace(variables.for_component(&component("key", "{{ api_key }}")).unwrap());
        assert_eq!(seen.get("api_key"), Err(VariableError::Undefined("api_key".to_owned())));
        assert!(variables.for_component(&component("key", "{{ other }}")).is_err());
    }

    #[test]
    fn names_follow_spins_rules() {
        for bad in ["", "A", "1a", "a_", "_a", "a__b", "a-b"] {
            assert!(matches!(check_name(bad), Err(VariableError::InvalidName(_))), "{bad:?}");
        }
        assert!(check_name("a1_b2").is_ok());
    }

    #[test]
    fn the_environment_gives_declared_names_in_lower_case() {
        let entries = [("SPIN_VARIABLE_API_KEY", "k"), ("SPIN_VARIABLE_OTHER", "o"), ("HOME", "/")];
        let entries = entries.map(|(key, value)| (key.to_owned(), value.to_owned()));
        assert_eq!(from_environment(&declared(None, true), entries), supplied("k"));
    }
}
