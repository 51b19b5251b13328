//! The agent machines: they decide everything and await nothing.
