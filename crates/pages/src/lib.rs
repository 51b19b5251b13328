//! Pages and searches: which addresses may be read, how bytes become text, how results are ranked.
