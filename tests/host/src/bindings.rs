//! Spin's own interfaces, generated from the WIT in `wit/deps`, and the one that needs no
//! more than a table: variables.

use wasmtime::component::{Accessor, HasSelf};

use crate::guest::GuestState;
use crate::variables::VariableError;

mod generated {
    wasmtime::component::bindgen!({
        inline: "
            package quarry:host;
            world host {
                import fermyon:spin/key-value@2.0.0;
                import spin:key-value/key-value@3.0.0;
                import spin:sqlite/sqlite@3.1.0;
                import spin:variables/variables@3.0.0;
            }
        ",
        path: [
            "../../wit/deps/fermyon-spin",
            "../../wit/deps/spin-key-value",
            "../../wit/deps/spin-sqlite",
            "../../wit/deps/spin-variables",
        ],
        imports: {
            "spin:key-value/key-value.[method]store.get-keys": store | tracing | trappable,
            "spin:sqlite/sqlite.[method]connection.execute-async": store | tracing | trappable,
            default: tracing | trappable,
        },
        with: {
            "fermyon:spin/key-value.store": crate::key_value::OpenStore,
            "spin:key-value/key-value.store": crate::key_value::OpenStore,
            "spin:sqlite/sqlite.connection": crate::sqlite::OpenConnection,
        },
    });
}

pub(crate) use generated::fermyon::spin::key_value as key_value_2;
pub(crate) use generated::spin::key_value::key_value;
pub(crate) use generated::spin::sqlite::sqlite;
pub(crate) use generated::spin::variables::variables;

impl variables::Host for GuestState {}

impl<T: Send> variables::HostWithStore<T> for HasSelf<GuestState> {
    async fn get(
        store: &Accessor<T, Self>,
        name: String,
    ) -> wasmtime::Result<Result<String, variables::Error>> {
        Ok(store.with(|mut access| {
            let component = &access.get().component;
            component.variables.get(&name).map_err(|error| match error {
                VariableError::InvalidName(name) => variables::Error::InvalidName(name),
                VariableError::Undefined(name) => variables::Error::Undefined(name),
                other => variables::Error::Other(other.to_string()),
            })
        }))
    }
}
