//! What holds of the report of any run.

use crate::facts::Facts;
use proptest::prelude::*;
use quarry_events::run::{ConflictFound, CutShort, NodeState, ResolutionReason};
use quarry_evidence::{Conflict, Difference, Reason, Side, Tier};
use quarry_machines::run::NodeId;
use quarry_machines::run::report::{self, Beginning, Report};
use quarry_types::ReportStyle;
use std::collections::{BTreeMap, BTreeSet};

/// Words as pages, models and people write them, and as nobody should.
fn text() -> impl Strategy<Value = String> {
    let odd = prop_oneof![
        Just("<script>alert(1)</script>".to_owned()),
        Just("</style><img src=x onerror=y>".to_owned()),
        Just("[7](https://evil.example/)".to_owned()),
        Just("\n\n## 9. Nine\n\n1. one\n- two\n".to_owned()),
        Just("**bold** _x_ `[1]` | a | &lt;".to_owned()),
        Just("https://evil.example/ www.evil.example".to_owned()),
        Just("\u{0}\u{202e}\"'".to_owned()),
        Just("The lighthouse of Sker has 196 steps and a lamp of brass.".to_owned()),
        Just("Bread of the island is baked from rye and salt.".to_owned()),
        any::<String>(),
        "[a-zA-Z ]{0,40}",
    ];
    prop::collection::vec(odd, 0..3).prop_map(|parts| parts.join(" "))
}

fn address() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => (0_u8..6).prop_map(|n| format!("https://{n}.example/")),
        1 => Just("https://1.example/(x)#y".to_owned()),
        1 => Just("javascript:alert(1)".to_owned()),
        1 => Just("https://2.example/\"onmouseover=\"x".to_owned()),
        1 => text(),
    ]
}

/// What a model wrote.
fn written() -> impl Strategy<Value = Option<String>> {
    let part = prop_oneof![
        text(),
        (1_usize..9).prop_map(|n| format!(" [q{n}]")),
        Just("The lighthouse of Sker has 196 steps and a lamp of brass [q1]. ".to_owned()),
        Just("```\n".to_owned()),
        Just("- ".to_owned()),
    ];
    let answer = prop::collection::vec(part, 0..8).prop_map(|parts| parts.concat());
    let reply = (answer, prop::collection::vec(text(), 0..3), any::<bool>()).prop_map(
        |(answer, follow_up, is_json)| {
            let json =
                || serde_json::json!({ "answer": answer, "follow_up": follow_up }).to_string();
            if is_json { json() } else { answer.clone() }
        },
    );
    prop::option::of(reply)
}

fn conflict(urls: (String, String), words: &str, reason: bool) -> ConflictFound {
    let side = |url: String| Side {
        url,
        title: words.to_owned(),
        date: Some(words.to_owned()).filter(|date| date.len() > 4),
        quote: words.to_owned(),
        tier: Tier::Secondary,
    };
    let reason = reason.then_some(Reason::Newer);
    let (one, other) = (side(urls.0), side(urls.1));
    ConflictFound {
        conflict: Conflict { difference: Difference::Date, one, other, reason },
        finding_ids: Vec::new(),
        explained_by: None,
    }
}

prop_compose! {
    fn facts()(
        task in text(),
        sources in prop::collection::vec((address(), text(), prop::collection::vec(text(), 0..3), 1_u8..4), 0..6),
        findings in prop::collection::vec((text(), 0_usize..7, 0_usize..9, any::<bool>()), 0..6),
        parts in prop::collection::vec((1_u32..6, text(), 0_u8..4), 0..5),
        conflicts in prop::collection::vec(((address(), address()), text(), any::<bool>()), 0..3),
        sentences in prop::collection::vec(text(), 0..3),
        written in written(),
        language_model in any::<bool>(),
        is_concise in any::<bool>(),
        is_partial in any::<bool>(),
        score in prop::num::f64::ANY,
    ) -> Facts {
        let mut facts = Facts::new(&task);
        for (url, title, texts, tier) in &sources {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            facts.read(url, title, None, *tier, &texts);
        }
        for (parent, question, state) in &parts {
            for id in facts.tree.part(NodeId(*parent), vec![question.clone()]) {
                let node = facts.tree.get_mut(id).unwrap();
                node.state = [NodeState::Pending, NodeState::Running, NodeState::Resolved, NodeState::Unresolved]
                    [usize::from(*state)];
                node.resolution_reason = (*state == 3).then_some(ResolutionReason::Depth);
            }
        }
        let nodes = facts.tree.nodes().len();
        for (at, (claim, source, passage, verified)) in findings.iter().enumerate() {
            // Half of them quote what is there.
            let quote = facts.sources.get(*source).map(|it| it.body().chars().take(60).collect());
            let quote: String = quote.unwrap_or_else(|| claim.clone());
            facts.find(claim, &[(&format!("c{}", source + 1), &format!("q{passage}"), &quote)]);
            facts.findings[at].verified = *verified;
            facts.findings[at].confidence = score;
            let node = NodeId(u32::try_from(at % nodes + 1).unwrap());
            facts.tree.get_mut(node).unwrap().findings.push(at);
        }
        facts.conflicts = conflicts.into_iter().map(|(urls, words, reason)| conflict(urls, &words, reason)).collect();
        facts.guidance = sentences.clone();
        facts.penalties = sentences;
        facts.partial = is_partial.then_some(CutShort::Timeout);
        facts.style = if is_concise { ReportStyle::Concise } else { ReportStyle::Technical };
        facts.metrics.cost = score;
        Facts { written, language_model, score, ..facts }
    }
}

/// The numbers of a text: `[3](…)` and `\[3\]`, where nothing else writes them.
fn numbers(markdown: &str) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for (at, _) in markdown.match_indices('[') {
        let is_escaped = markdown[..at].ends_with('\\');
        let rest = &markdown[at + 1..];
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        if !is_escaped && rest[digits.len()..].starts_with("](") {
            found.extend(digits.parse::<usize>());
        }
    }
    found
}

/// The numbers of section 4.
fn listed(section: &str) -> Vec<usize> {
    let numbered = section.lines().take_while(|line| !line.starts_with("###"));
    let numbered = numbered.filter_map(|line| line.split_once(". ")?.0.parse().ok());
    numbered.collect()
}

fn holds(report: &Report) -> Result<(), TestCaseError> {
    prop_assert_eq!(report.sections.len(), 8);
    for (n, section) in (1..).zip(&report.sections) {
        prop_assert_eq!(section.number, n);
        prop_assert!(!section.markdown.trim().is_empty());
        let told = &report.companion.sections[section.number as usize - 1];
        prop_assert_eq!(told.markdown.as_ref(), Some(&section.markdown));
        let title = format!("\n## {n}. {}\n", section.title);
        prop_assert_eq!(report.markdown.matches(&title).count(), 1);
    }
    let is_hidden = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
    prop_assert!(!report.markdown.contains(is_hidden) && !report.html.contains(is_hidden));
    let headings =
        report.markdown.lines().filter(|line| line.starts_with("## ") || line.starts_with("# "));
    prop_assert_eq!(headings.count(), 9, "{}", report.markdown);
    let joined: String = report::deltas(report, "").into_iter().map(|it| it.text).collect();
    prop_assert_eq!(&joined, &report.markdown);

    let listed = listed(&report.sections[3].markdown);
    let expected: Vec<usize> = (1..=listed.len()).collect();
    prop_assert_eq!(&listed, &expected);
    let others = report.sections.iter().filter(|it| it.number != 4);
    let cited: BTreeSet<usize> = others.flat_map(|it| numbers(&it.markdown)).collect();
    // An address that is none of the web has its number without a link.
    let sources = &report.companion.sources;
    let numbered: Vec<_> = sources.iter().filter_map(|it| Some((it.n?, it))).collect();
    prop_assert_eq!(numbered.iter().map(|it| it.0).collect::<Vec<_>>(), expected);
    for (n, source) in numbered {
        let is_web = source.url.trim().to_ascii_lowercase().starts_with("http");
        prop_assert!(
            cited.contains(&n) || !is_web || source.url.contains(char::is_whitespace),
            "{}",
            report.markdown
        );
    }
    prop_assert!(cited.iter().all(|n| listed.contains(n)), "{}", report.markdown);
    prop_assert!(report.companion.confidence.limitations.len() >= 2);
    Ok(())
}

/// Each number leads to one page wherever it stands.
fn numbers_are_of_one_page(report: &Report) -> Result<(), TestCaseError> {
    let mut pages: BTreeMap<&str, &str> = BTreeMap::new();
    for section in report.sections.iter().filter(|it| it.number != 4) {
        for (at, _) in section.markdown.match_indices('[') {
            let rest = &section.markdown[at + 1..];
            let Some((n, link)) = rest.split_once("](") else { continue };
            let is_number = !n.is_empty() && n.bytes().all(|it| it.is_ascii_digit());
            if !is_number || section.markdown[..at].ends_with('\\') {
                continue;
            }
            let page = link.split(['#', ')', ' ']).next().unwrap();
            prop_assert_eq!(*pages.entry(n).or_insert(page), page, "{}", section.markdown);
        }
    }
    Ok(())
}

/// A claim of the answer or of the findings is well backed by a source of tier 1 or by two voices of tier 2, and
/// by nothing else; and what the answer says that is not, is counted below it.
fn thin_claims_are_marked(report: &Report) -> Result<(), TestCaseError> {
    let sources = &report.companion.sources;
    let mut thin = 0;
    for claim in report.companion.claims.iter().filter(|it| matches!(it.section, 1 | 3)) {
        let cited: Vec<_> = claim
            .citations
            .iter()
            .filter_map(|it| sources.iter().find(|source| source.n == it.n))
            .collect();
        let has_first = cited.iter().any(|it| it.quality_tier == Some(1));
        let second = cited.iter().filter(|it| it.quality_tier == Some(2));
        let second: BTreeSet<&str> = second.map(|it| it.voice.as_str()).collect();
        if !cited.is_empty() {
            prop_assert_eq!(claim.well_backed, has_first || second.len() > 1, "{:?}", claim);
            thin += usize::from(claim.section == 1 && claim.critical && !claim.well_backed);
        }
    }
    let answer = &report.sections[0].markdown;
    let counts = [" of ", " von ", " sur ", " de "].map(|of| format!(": {thin}{of}"));
    prop_assert!(thin == 0 || counts.iter().any(|it| answer.contains(it)), "{thin}: {answer}");
    Ok(())
}

/// The tags and attributes of the page are those that we write.
fn is_plain(html: &str) -> Result<(), TestCaseError> {
    let lower = html.to_lowercase();
    prop_assert!(!lower.contains("<script") && !lower.contains("<img"));
    let body = html.split_once("<body>").unwrap().1;
    for tag in body.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').unwrap();
        let name: &str = tag.trim_start_matches('/').split_whitespace().next().unwrap();
        let ours = [
            "header", "p", "h1", "h2", "h3", "nav", "ol", "ul", "li", "a", "main", "section",
            "span", "strong", "small", "q", "div", "table", "thead", "tbody", "tr", "th", "td",
            "/body", "/html", "body", "html",
        ];
        prop_assert!(ours.contains(&name), "{}", tag);
        if let Some((_, href)) = tag.split_once("href=\"") {
            let (address, rest) = href.split_once('"').unwrap();
            let address = address.to_lowercase();
            let is_web = address.starts_with("http://") || address.starts_with("https://");
            prop_assert!(
                (is_web && rest == " rel=\"noreferrer\"")
                    || (address.starts_with('#') && rest.is_empty()),
                "{}",
                tag
            );
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn the_report_of_any_run_is_whole(facts in facts(), is_over in any::<bool>()) {
        let lent = facts.lend();
        let report = if is_over { report::report(&lent) } else { report::partial(&lent) };
        holds(&report)?;
        numbers_are_of_one_page(&report)?;
        thin_claims_are_marked(&report)?;
        is_plain(&report.html)?;
        #[cfg(feature = "schema")]
        {
            static SCHEMA: std::sync::LazyLock<jsonschema::Validator> =
                std::sync::LazyLock::new(|| jsonschema::validator_for(&report::schema()).unwrap());
            let value = serde_json::to_value(&report.companion).unwrap();
            let errors: Vec<String> = SCHEMA.iter_errors(&value).map(|it| it.to_string()).collect();
            prop_assert_eq!(errors, [] as [String; 0]);
        }
    }
    #[test]
    fn a_report_begins_with_what_was_told_of_it_while_it_was_written(facts in facts()) {
        let facts = Facts { language_model: true, ..facts };
        let Some(reply) = &facts.written else { return Ok(()) };
        let lent = facts.lend();
        let report = report::report(&lent);
        let (mut beginning, mut told) = (Beginning::new(&lent), String::new());
        for end in (0..=reply.len()).filter(|end| reply.is_char_boundary(*end)) {
            let shown = beginning.markdown(&lent, &reply[..end]);
            prop_assert!(shown.starts_with(&told) || shown.is_empty(), "{shown:?} after {told:?}");
            prop_assert!(report.markdown.starts_with(&shown), "{shown:?} of {:?}", report.markdown);
            told = shown;
        }
        let rest: String = report::deltas(&report, &told).into_iter().map(|it| it.text).collect();
        prop_assert_eq!(told + &rest, report.markdown);
    }
}
