//! Prompt templates: one Markdown file and one typed struct each, rendered strictly.
