//! Trees as bytes, to be kept in files, and trees moved on. `docs/spec.md` ("Saved searches") has the
//! format; the same in Python: `python/sylve/search/running/search_bytes.py`.
//!
//! A tree is walked, not dumped: from the root, take the node met last, write its record, and meet the
//! nodes of its moves that were tried, in order, unless they were met before.

use super::bytes::{Damaged, Reader, Writer, read_bound, write_bound};
use super::config::TreeConfig;
use super::record::NodeRecord;
use super::root::legal_moves;
use super::tree_view::TreeView;
use crate::game::{Game, Move};

/// Writes a tree.
pub fn save<G: Game, T: TreeView<G>>(game: &G, tree: &T, out: &mut Writer) {
    write_bound(tree.bound(), tree.is_full(), out);
    // Of a position it is the hash; of a way to it, it cannot be found out again.
    let key = if tree.root().transpositions { 0 } else { tree.key(tree.root_node()) };
    out.word(key);
    let (mut records, mut count) = (Writer::default(), 0_u64);
    walk(game, tree, tree.root_node(), &tree.root().state, |node, _, children| {
        NodeRecord { children, ..tree.record(node) }.write(&mut records);
        count += 1;
    });
    // Their number is known at last, and comes first.
    out.number(count);
    out.bytes.append(&mut records.bytes);
}

/// Visits the nodes that can be reached from one by moves that were tried, each with its position and
/// the moves that lead to nodes not met before.
fn walk<G: Game, T: TreeView<G>>(
    game: &G,
    tree: &T,
    node: T::Node,
    state: &G::State,
    mut visit: impl FnMut(T::Node, G::State, Vec<u16>),
) {
    let (mut scratch, mut met) = (Vec::new(), Vec::<u64>::new());
    let mut is_new = |node| {
        let number = tree.number(node);
        met.resize(met.len().max(number / 64 + 1), 0);
        let (word, bit) = (&mut met[number / 64], 1 << (number % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    };
    is_new(node);
    let mut left = vec![(node, state.clone())];
    while let Some((node, state)) = left.pop() {
        let (mut children, mut visits) = (Vec::new(), tree.visits(node));
        for index in 0..tree.moves(node) {
            if visits == 0 {
                break; // the moves that are left were not tried
            }
            let of_move = tree.tally(node, index).visits;
            if of_move == 0 {
                continue;
            }
            visits -= of_move;
            let mv = tree.move_at(game, node, &state, index, &mut scratch);
            let Some((after, key)) = after(game, tree, node, &state, mv) else { continue };
            if let Ok(child) = tree.find(game, &after, key)
                && is_new(child)
            {
                children.push(index as u16);
                left.push((child, after));
            }
        }
        visit(node, state, children);
    }
}

/// The position after a move that does not end the game, and its key.
fn after<G: Game, T: TreeView<G>>(
    game: &G,
    tree: &T,
    node: T::Node,
    state: &G::State,
    mv: Move,
) -> Option<(G::State, u64)> {
    let mut after = state.clone();
    game.play(&mut after, mv);
    let key = tree.root().child_key(game, &after, tree.key(node), mv);
    game.outcome(&after).is_none().then_some((after, key))
}

/// The node of the position after these moves, or the key under which there is none; nothing if a move
/// is not legal. The positions on the way need no nodes: with transpositions there may be another way.
pub fn find_after<G: Game, T: TreeView<G>>(
    game: &G,
    tree: &T,
    path: &[Move],
) -> Option<Result<T::Node, u64>> {
    let mut state = tree.root().state.clone();
    let mut found = Ok(tree.root_node());
    for (depth, &mv) in path.iter().enumerate() {
        let legal = if depth == 0 { tree.root().moves.clone() } else { legal_moves(game, &state) };
        if game.outcome(&state).is_some() || !legal.contains(&mv) {
            return None;
        }
        game.play(&mut state, mv);
        let parent = found.map_or_else(|key| key, |node| tree.key(node));
        found = tree.find(game, &state, tree.root().child_key(game, &state, parent, mv));
    }
    Some(found)
}

/// Reads a tree that was saved, of the same position, into one that is new. The answer is the visits
/// of the root.
pub fn load<G: Game, T: TreeView<G>>(
    game: &G,
    tree: &mut T,
    from: &mut Reader<'_>,
) -> Result<u32, Damaged> {
    let (used, full) = read_bound(tree.bound().is_some(), TreeConfig::MOST_MEMORY, from)?;
    let saved = from.word()?;
    let root = tree.root();
    let key = if root.transpositions { tree.key(tree.root_node()) } else { saved };
    let (state, moves) = (root.state.clone(), root.moves.clone());
    tree.restart(game, state, moves, key);
    let visits = rebuild(game, tree, from)?;
    tree.finish();
    tree.set_full(full);
    tree.set_used(used);
    Ok(visits)
}

/// Reads nodes into a tree that has none but the root, whose record is the first. They must fit into
/// the memory that the tree may take.
fn rebuild<G: Game, T: TreeView<G>>(
    game: &G,
    tree: &mut T,
    from: &mut Reader<'_>,
) -> Result<u32, Damaged> {
    let shape = tree.shape(game);
    let nodes = from.number(from.left() as u64)?;
    tree.make_room_for(nodes as usize);
    let mut left = vec![(tree.root_node(), tree.root().state.clone())];
    let (mut count, mut scratch) = (0_u64, Vec::new());
    while let Some((node, state)) = left.pop() {
        let record = NodeRecord::read(from, tree.moves(node), shape)?;
        tree.fill(node, game.turn(&state), &record)?;
        tree.judge(game, node, &state, &record);
        for &index in &record.children {
            let mv = tree.move_at(game, node, &state, usize::from(index), &mut scratch);
            let (after, key) = after(game, tree, node, &state, mv)
                .ok_or(Damaged("the game is over, and goes on"))?;
            let Err(key) = tree.find(game, &after, key) else {
                return Err(Damaged("a position comes twice"));
            };
            left.push((tree.add(game, &after, key)?, after));
        }
        if !tree.fits() {
            return Err(Damaged("the tree does not fit into the memory that it may take"));
        }
        count += 1;
    }
    if count != nodes {
        return Err(Damaged("it has another number of nodes"));
    }
    Ok(tree.visits(tree.root_node()))
}

/// Makes the position after `mv` the root, with these moves, which a game's history may have reduced.
/// Keeps the nodes that it can reach by moves that were tried.
pub fn advance<G: Game, T: TreeView<G>>(game: &G, tree: &mut T, mv: Move, moves: Vec<Move>) {
    let mut state = tree.root().state.clone();
    game.play(&mut state, mv);
    let key = tree.root().child_key(game, &state, tree.key(tree.root_node()), mv);
    let found = tree.find(game, &state, key);
    let key = found.map_or_else(|key| key, |node| tree.key(node));
    // A node that the solver decided has no move to show for it, and perhaps no visits.
    let player = game.turn(&state);
    let known = found.ok().filter(|&node| tree.visits(node) > 0 && tree.shows_proof(node, player));
    match known.filter(|_| legal_moves(game, &state) == moves) {
        Some(node) => {
            let mut kept = Vec::new();
            walk(game, tree, node, &state, |node, state, _| kept.push((node, state)));
            let full = tree.is_full();
            tree.keep(game, moves, &kept);
            tree.set_full(full);
        }
        None => {
            tree.restart(game, state, moves, key);
            let (root, player) = (tree.root_node(), tree.root().turn(game));
            let record = NodeRecord::empty(tree.moves(root), tree.shape(game).bands);
            tree.fill(root, player, &record).expect("it is empty");
            let state = tree.root().state.clone();
            tree.judge(game, root, &state, &record);
        }
    }
    tree.finish();
}
