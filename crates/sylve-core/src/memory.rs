//! Whether the system still gives memory: an allocation that fails ends the whole process.
//!
//! Small allocations are everywhere and cannot be asked about one by one. So whatever may become large
//! asks here before it grows, and leaves a reserve for all the others.

/// What stays free for small allocations, for threads, and to tell what was found.
const RESERVE: usize = 16 << 20;

/// Whether so many bytes can be had. They are taken and given back, untouched: a few microseconds.
#[cold]
pub fn is_there(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes.saturating_add(RESERVE)).is_ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_more_than_there_can_be() {
        assert!(super::is_there(1 << 20));
        assert!(!super::is_there(1 << 60));
        assert!(!super::is_there(usize::MAX));
    }
}
