//! How a response is put together of its parts.

use super::*;
use crate::responses::record::Record;

#[test]
fn a_response_is_written_as_serde_writes_it() {
    let record = Record::default();
    let failure = Failure { code: "server_error", message: "a \"b\"".to_owned() };
    let output = [Item::Reasoning {
        id: "rs_1".to_owned(),
        status: Status::Completed,
        summary: vec![Part::SummaryText { text: "{}".to_owned() }],
        encrypted_content: None,
    }];
    let so_far = SoFar {
        id: "resp_1".to_owned(),
        object: "response",
        created_at: 1,
        completed_at: None,
        status: Status::Failed,
        incomplete_details: None,
        error: Some(&failure),
        output: &output,
        usage: None,
    };
    let quarry = Beside {
        model: None,
        turns_left_out: None,
        wait_seconds: Some(1.5),
        kind: None,
        evidence: None,
        run: None,
        tokens: None,
        cost: None,
    };
    let object = Object { so_far, echo: &record.echo, more: More { quarry } };
    assert_eq!(object.text().unwrap(), serde_json::to_string(&object).unwrap());
}
