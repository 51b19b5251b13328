//! Wire formats of model providers, retry policy, prices, and the built-in extractive model.
