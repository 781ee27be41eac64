//! The `gsmc` command.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

fn main() -> std::process::ExitCode {
    gsmc::cli::run(std::env::args_os())
}

/// The system's memory. Where there is no more of it, gsmc ends with a message and the exit code of what is inconclusive.
struct Memory;

#[global_allocator]
static MEMORY: Memory = Memory;

// SAFETY: all is left to the system's allocator; nothing comes back where that has nothing.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are the system allocator's.
        there(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        there(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        there(unsafe { System.realloc(memory, layout, size) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

fn there(memory: *mut u8) -> *mut u8 {
    static ENDING: AtomicBool = AtomicBool::new(false);
    if !memory.is_null() || ENDING.swap(true, Ordering::Relaxed) {
        return memory;
    }
    let _ = std::io::stderr().write_all(b"error: there is no more memory; --memory MB asks for less\n");
    std::process::exit(gsmc::cli::INCONCLUSIVE.into())
}
