//! Measures Quarry as shipped: latency, throughput, held streams, sizes.
//!
//! `cargo xtask bench` builds what is measured and starts this program. Hosts run in processes of
//! their own, the scripted provider and the clients in this one, all on one machine. The floors, a
//! hello world and the outside calls of an ask with nothing between them, have their turns between
//! those of the ask, so that figures from different machines can be compared by their ratio to them.
//!
//! `cargo xtask order` starts it too, to learn which functions an ask runs.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people at a terminal")]

mod arguments;
mod ask;
mod chance;
mod citations;
mod client;
mod doors;
mod hops;
mod host;
mod knowledge;
mod notes;
mod order;
mod pairs;
mod papers;
mod readers;
mod report;
mod runs;
mod sandbox;
mod streams;
mod subject;
mod usage;

use anyhow::Result;
use arguments::{Arguments, Plan, Up};
use host::Kept;
use report::Report;
use xtask::options::bench::Part;

#[tokio::main]
async fn main() -> Result<()> {
    let mut arguments = std::env::args_os().skip(1).peekable();
    if arguments.next_if(|first| first == "order").is_some() {
        return order::tell(arguments).await;
    }
    let arguments = Arguments::parse(lexopt::Parser::from_args(arguments))?;
    let mut report = Report::default();
    for part in Part::ALL {
        if arguments.options.measures(part) {
            measure(part, &arguments, &mut report).await?;
        }
    }
    report.sizes(&arguments.manifest)?;
    print!("{report}");
    report.check_names()
}

async fn measure(part: Part, arguments: &Arguments, report: &mut Report) -> Result<()> {
    let Arguments { program, manifest, plan, .. } = arguments;
    match part {
        Part::Ask => ask::measure(arguments, report).await,
        Part::Doors => doors::measure(arguments, report).await,
        Part::Sandbox => {
            sandbox::trivial(program, manifest, *plan, report).await?;
            sandbox::beside_hostile_programs(program, manifest, *plan, report).await
        }
        Part::Streams => {
            for kept in [Kept::AsSpin, Kept::Nothing] {
                streams::measure(program, manifest, plan.streams, plan.held, kept, report).await?;
            }
            Ok(())
        }
        Part::Citations => citations::measure(arguments, report).await,
        Part::Runs => runs::measure(arguments, report).await,
        Part::Knowledge => {
            knowledge::measure(arguments, report).await?;
            papers::measure(arguments, report).await
        }
        Part::Readers => readers::measure(program, manifest, plan.crowd, report).await,
    }
}
