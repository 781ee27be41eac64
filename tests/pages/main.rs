//! The pages of the repository against the program and its source.

#[path = "../common/page.rs"]
mod page;
#[path = "../common/tools.rs"]
mod tools;

mod architecture;
mod documents;
mod formats;
mod guide;
mod properties_page;
mod security;
