//! Words that every part of Quarry shares: models, messages, tool calls, usage, cost.
