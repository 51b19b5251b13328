//! Drives the agent machines: performs the effects that they ask for.
