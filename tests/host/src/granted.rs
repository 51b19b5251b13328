//! Who sees which variables, and how they change while the host runs.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use crate::manifest::Component;
use crate::variables::{ComponentVariables, VariableError, Variables};

/// The values of all variables, and what of them each component is granted.
#[derive(Debug)]
pub(crate) struct Granted {
    all: Mutex<Variables>,
    components: HashMap<String, (Component, Arc<ComponentVariables>)>,
}

impl Granted {
    pub fn of(
        all: Variables,
        components: &BTreeMap<String, Component>,
    ) -> Result<Self, VariableError> {
        let components = components
            .iter()
            .map(|(id, component)| {
                let seen = Arc::new(ComponentVariables::default());
                seen.replace(all.for_component(component)?);
                Ok((id.clone(), (Component::clone(component), seen)))
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { all: Mutex::new(all), components })
    }

    /// What a component sees, now and later; nothing for one that the manifest does not have.
    pub fn component(&self, id: &str) -> Arc<ComponentVariables> {
        self.components.get(id).map(|(_, seen)| seen.clone()).unwrap_or_default()
    }

    /// Looks at the values as they are.
    pub fn with<T>(&self, look: impl FnOnce(&Variables) -> T) -> T {
        look(&self.all.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn change(&self, name: &str, value: &str) -> Result<(), VariableError> {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.change(name, value)?;
        for (component, seen) in self.components.values() {
            seen.replace(all.for_component(component)?);
        }
        Ok(())
    }
}
