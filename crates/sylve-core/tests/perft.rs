//! Perft counts from `tests/data/perft`, the files that the Python tests read too.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use sylve_core::{Finished, open};

/// Deeper counts are checked through Python, in release builds.
const NODES: u64 = 3_000_000;

#[test]
fn counts_agree_with_the_data_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/perft");
    let mut checked = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let mut position = None;
        for line in text.lines() {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            let finished = match word {
                "game" => {
                    position = Some(open(rest).unwrap());
                    continue;
                }
                "position" => {
                    position = Some(position.unwrap().read(rest).unwrap());
                    continue;
                }
                "zero" => Finished::Zero,
                "leaf" => Finished::Leaf,
                _ => continue,
            };
            for (depth, count) in (1..).zip(rest.split(' ').map(|n| n.parse::<u64>().unwrap())) {
                if count <= NODES {
                    let never = AtomicBool::new(false);
                    let nodes = position.as_ref().unwrap().perft(depth, finished, &never);
                    assert_eq!(nodes, Some(count), "{line:?} at depth {depth}");
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 10, "only {checked} counts were found");
}
