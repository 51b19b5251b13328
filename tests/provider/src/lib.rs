//! A scripted model provider for tests, which can also misbehave.
