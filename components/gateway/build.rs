//! Sets the size of the shadow stack.

#[path = "../stack.rs"]
mod stack;

fn main() {
    stack::size();
}
