//! Apostrophes that look like marks of a quotation.

use super::*;

#[test]
fn an_apostrophe_before_a_word_opens_no_quotation() {
    for claim in [
        "Author Maarten 't Hart won the critics' prize in 1979.",
        "The band 'N Sync topped the charts of 1998 for the fans' sake.",
        "'Twas the writers' strike that closed the studios of Sker in 1988.",
        "The band ‘N Sync topped the charts of 1998 for the fans’ sake.",
    ] {
        assert_eq!(Claim::new(claim).quotations, [""; 0], "{claim}");
        assert_eq!(verdict(claim, claim), Verdict::Supported, "{claim}");
    }
}

#[test]
fn a_possessive_ends_a_quotation_only_where_nothing_else_does() {
    for (claim, quotations) in [
        ("The keeper called it 'the keepers' lamp' in 1823.", vec!["the keepers' lamp"]),
        ("The keeper left it 'in ruins' in 1823.", vec!["in ruins"]),
        ("The keeper left it 'in ruins' for the workers' sake.", vec!["in ruins"]),
        ("The keeper left it 'in ruins', by O'Brien's account.", vec!["in ruins"]),
        ("He said 'in ruins' and she 'in a rotten state'.", vec!["in ruins", "in a rotten state"]),
        ("He wrote 'of the '90s and of rain' in 2003.", vec!["of the '90s and of rain"]),
    ] {
        assert_eq!(Claim::new(claim).quotations, quotations, "{claim}");
    }
}
