//! Scenarios on the built components over HTTP, a module for each subject: one program, which is linked once. What needs no
//! component, and what can run against any server, are programs of their own beside it.

#![cfg(test)]

mod account;
mod again;
mod alive;
mod apps;
mod bodies;
mod borders;
mod callers;
mod chat;
mod collections;
mod consult;
mod contract;
mod deep;
mod documents;
mod doors;
mod embeddings;
mod formats;
mod handbook;
mod host_calls;
mod http;
mod ingest;
mod kept;
mod killed;
mod knowledge;
mod loads;
mod logs;
mod many;
mod mcp;
mod mistakes;
mod network;
mod official;
mod opening;
mod original_front_end;
mod payment;
mod places;
mod prices;
mod reader;
mod readers;
mod rejoin;
mod requests;
mod responses;
mod runs;
mod sandbox;
mod sealed;
mod search;
mod secrets;
mod segments;
mod silence;
mod sizes;
mod unserved;
