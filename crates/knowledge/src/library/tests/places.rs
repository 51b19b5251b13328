//! Places among the loads under way.

use super::*;
use quarry_types::time::LOAD_KEPT_EVERY_MS;

#[test]
fn who_finds_all_places_taken_is_told_and_a_place_that_is_given_back_is_free() {
    let database = Database::in_memory();
    let take = || wait(Place::take(&database, 2));
    let (one, other) = (take().unwrap(), take().unwrap());
    assert_ne!(one, other);
    let refused = take().unwrap_err();
    assert_eq!(refused, LibraryError::Crowded(2));
    assert!(refused.to_string().contains("for 2 requests at most"), "{refused}");
    wait(one.give_back(&database));
    let third = take().unwrap();
    assert_eq!(third.number, one.number);
    // Who gave it back does not give the next one's back.
    wait(one.give_back(&database));
    assert!(take().is_err());
}

#[test]
fn a_place_is_kept_by_signs_of_life_and_else_runs_out() {
    let database = Database::in_memory();
    let one = wait(Place::take(&database, 1)).unwrap();
    for _ in 0..5 {
        database.now.set(database.now.get() + LOAD_KEPT_EVERY_MS);
        wait(one.keep(&database));
        assert!(wait(Place::take(&database, 1)).is_err());
    }
    database.now.set(database.now.get() + 3 * LOAD_KEPT_EVERY_MS);
    assert!(wait(Place::take(&database, 1)).is_ok());
}
