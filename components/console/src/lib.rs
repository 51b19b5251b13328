//! Serves the browser console, one static page.
