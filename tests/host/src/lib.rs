//! A local host: runs spin.toml as Spin would, for tests and the first try.
