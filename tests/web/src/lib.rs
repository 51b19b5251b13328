//! A small local web: linked pages and a SearXNG-compatible search.
