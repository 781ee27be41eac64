//! Which nodes a walk over a diagram has seen. Walks are short and there are very many, so the marks are kept from one to the next:
//! a node is seen when its mark bears the number of the walk that goes on.

use std::cell::RefCell;

/// The marks of one walk after the other.
#[derive(Default)]
pub struct Marks {
    walk: u32,
    marks: Vec<u32>,
}

impl Marks {
    /// Marks a node; whether it was not marked before.
    pub fn mark(&mut self, node: usize) -> bool {
        if node >= self.marks.len() {
            self.marks.resize((node + 1).next_power_of_two(), 0);
        }
        let new = self.marks[node] != self.walk;
        self.marks[node] = self.walk;
        new
    }

    fn next_walk(&mut self) {
        self.walk = self.walk.wrapping_add(1);
        if self.walk == 0 {
            self.marks.fill(0);
            self.walk = 1;
        }
    }
}

thread_local! {
    static MARKS: RefCell<Marks> = RefCell::default();
}

/// Runs a walk with no node marked. A walk inside a walk has marks of its own.
pub fn with<T>(walk: impl FnOnce(&mut Marks) -> T) -> T {
    MARKS.with(|marks| match marks.try_borrow_mut() {
        Ok(mut marks) => {
            marks.next_walk();
            walk(&mut marks)
        }
        Err(_) => walk(&mut Marks { walk: 1, marks: Vec::new() }),
    })
}
