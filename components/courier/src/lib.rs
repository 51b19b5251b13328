//! Carries calls to the Spin components web and sandbox over in-process HTTP.
