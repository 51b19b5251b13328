//! Searches and reads the public web.
