//! The memory of the counters: blocks of pairs, as narrow as the visits of their node allow.

use super::pairs::Pair;

/// The bits of each counter in a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// Most nodes have few visits.
    Eight,
    /// From 256 visits on.
    Sixteen,
    /// From 65,536 visits on.
    ThirtyTwo,
}

impl Width {
    /// The narrowest for a node with so many visits.
    pub fn of(visits: u32) -> Width {
        match visits {
            0..=0xFF => Width::Eight,
            0x100..=0xFFFF => Width::Sixteen,
            _ => Width::ThirtyTwo,
        }
    }

    /// The next one.
    fn wider(self) -> Width {
        if self == Width::Eight { Width::Sixteen } else { Width::ThirtyTwo }
    }

    /// Whether the counters of a node with so many visits have room for one more.
    #[inline(always)]
    pub fn has_room(self, visits: u32) -> bool {
        match self {
            Width::Eight => visits < u32::from(u8::MAX),
            Width::Sixteen => visits < u32::from(u16::MAX),
            Width::ThirtyTwo => true,
        }
    }
}

/// A block: where it lies, and its words.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// The bits of a counter.
    pub width: Width,
    /// Its address among the blocks of this width.
    pub at: u32,
    /// Its words.
    pub length: usize,
}

/// All blocks.
#[derive(Default)]
pub struct Pools {
    eight: Pool<u16>,
    sixteen: Pool<u32>,
    thirty_two: Pool<u64>,
}

/// Words of one of the widths.
pub enum Words<A, B, C> {
    /// Counters of 8 bits.
    Eight(A),
    /// Of 16 bits.
    Sixteen(B),
    /// Of 32 bits.
    ThirtyTwo(C),
}

/// Does the same with words of any width: `with_words!(words, |name| what)`. The closure of a function
/// could not be generic.
macro_rules! with_words {
    ($words:expr, |$name:ident| $what:expr) => {
        match $words {
            Words::Eight($name) => $what,
            Words::Sixteen($name) => $what,
            Words::ThirtyTwo($name) => $what,
        }
    };
}

/// The same, and what comes out is again of one of the widths.
macro_rules! map_words {
    ($words:expr, |$name:ident| $what:expr) => {
        match $words {
            Words::Eight($name) => Words::Eight($what),
            Words::Sixteen($name) => Words::Sixteen($what),
            Words::ThirtyTwo($name) => Words::ThirtyTwo($what),
        }
    };
}
pub(super) use {map_words, with_words};

impl Pools {
    /// The address of a new block of zeros.
    pub fn allocate(&mut self, width: Width, length: usize) -> u32 {
        match width {
            Width::Eight => self.eight.allocate(length),
            Width::Sixteen => self.sixteen.allocate(length),
            Width::ThirtyTwo => self.thirty_two.allocate(length),
        }
    }

    /// The address of a copy of a block of other pools.
    pub fn copy(&mut self, from: &Pools, block: Block) -> u32 {
        let Block { width, at, length } = block;
        match width {
            Width::Eight => self.eight.copy(from.eight.block(at, length)),
            Width::Sixteen => self.sixteen.copy(from.sixteen.block(at, length)),
            Width::ThirtyTwo => self.thirty_two.copy(from.thirty_two.block(at, length)),
        }
    }

    /// Bytes of a new chunk, if one more block of the narrowest width needs one.
    #[inline(always)]
    pub fn next_chunk(&self, length: usize) -> usize {
        let chunk = self.eight.chunks.last();
        if chunk.is_none_or(|chunk| chunk.len() + length > CHUNK) {
            CHUNK * size_of::<u16>()
        } else {
            0
        }
    }

    /// The words of a block.
    #[inline(always)]
    pub fn block(&self, block: Block) -> Words<&[u16], &[u32], &[u64]> {
        let Block { width, at, length } = block;
        match width {
            Width::Eight => Words::Eight(self.eight.block(at, length)),
            Width::Sixteen => Words::Sixteen(self.sixteen.block(at, length)),
            Width::ThirtyTwo => Words::ThirtyTwo(self.thirty_two.block(at, length)),
        }
    }

    /// The words of a block, to be changed.
    #[inline(always)]
    pub fn block_mut(&mut self, block: Block) -> Words<&mut [u16], &mut [u32], &mut [u64]> {
        let Block { width, at, length } = block;
        match width {
            Width::Eight => Words::Eight(self.eight.block_mut(at, length)),
            Width::Sixteen => Words::Sixteen(self.sixteen.block_mut(at, length)),
            Width::ThirtyTwo => Words::ThirtyTwo(self.thirty_two.block_mut(at, length)),
        }
    }

    /// Copies a block to the next width. The old one is lost: few nodes have that many visits.
    pub fn widen(&mut self, block: Block) -> Block {
        let width = block.width.wider();
        let wider = Block { width, at: self.allocate(width, block.length), ..block };
        let pairs = self.list(block);
        self.fill(wider, &pairs);
        wider
    }

    /// Writes pairs into a block.
    pub fn fill(&mut self, block: Block, pairs: &[(u32, u32)]) {
        with_words!(self.block_mut(block), |words| {
            for (word, &(visits, wins)) in words.iter_mut().zip(pairs) {
                *word = Pair::new(visits, wins);
            }
        });
    }

    /// The pairs of a block.
    fn list(&self, block: Block) -> Vec<(u32, u32)> {
        with_words!(self.block(block), |words| {
            words.iter().map(|pair| (pair.visits(), pair.wins())).collect()
        })
    }

    /// The memory of the blocks.
    pub fn used(&self) -> usize {
        self.eight.used() + self.sixteen.used() + self.thirty_two.used()
    }

    /// The memory that they take.
    pub fn bytes(&self) -> usize {
        self.eight.bytes() + self.sixteen.bytes() + self.thirty_two.bytes()
    }
}

/// Blocks of words in chunks that never move. A block's address: its chunk and its offset there.
#[derive(Default)]
struct Pool<P> {
    chunks: Vec<Vec<P>>,
    /// Words in all blocks.
    words: usize,
}

/// Words of a chunk; a longer block gets a chunk of its own.
const CHUNK: usize = 1 << 16;

impl<P: Pair> Pool<P> {
    /// A block of zeros.
    fn allocate(&mut self, length: usize) -> u32 {
        self.place(length, |chunk| chunk.resize(chunk.len() + length, P::default()))
    }

    /// A block with the same words as another.
    fn copy(&mut self, words: &[P]) -> u32 {
        self.place(words.len(), |chunk| chunk.extend_from_slice(words))
    }

    /// Room for a block of so many words, which `fill` appends.
    ///
    /// # Panics
    /// After 65,536 chunks: at least 8 GB.
    fn place(&mut self, length: usize, fill: impl FnOnce(&mut Vec<P>)) -> u32 {
        if self.chunks.last().is_none_or(|chunk| chunk.len() + length > CHUNK) {
            // The first chunk grows as it is filled: a small search stays small.
            let capacity = if self.chunks.is_empty() { length } else { CHUNK };
            self.chunks.push(Vec::with_capacity(capacity.max(length)));
        }
        self.words += length;
        let number = self.chunks.len() - 1;
        assert!(number < 1 << 16, "the tree is full: {number} chunks of {CHUNK} counters");
        let chunk = &mut self.chunks[number];
        let offset = chunk.len();
        fill(chunk);
        (number << 16 | offset) as u32
    }

    /// A block, by its address and length.
    #[inline(always)]
    fn block(&self, at: u32, length: usize) -> &[P] {
        let offset = (at & 0xFFFF) as usize;
        &self.chunks[(at >> 16) as usize][offset..offset + length]
    }

    /// A block to be changed.
    #[inline(always)]
    fn block_mut(&mut self, at: u32, length: usize) -> &mut [P] {
        let offset = (at & 0xFFFF) as usize;
        &mut self.chunks[(at >> 16) as usize][offset..offset + length]
    }

    /// The memory of the blocks.
    fn used(&self) -> usize {
        self.words * size_of::<P>()
    }

    /// The memory that it takes.
    fn bytes(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.capacity() * size_of::<P>()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_keeps_its_counters_when_it_becomes_wider() {
        let mut pools = Pools::default();
        let width = Width::Eight;
        let mut block = Block { width, at: pools.allocate(width, 3), length: 3 };
        let mut pairs = vec![(255, 255), (0, 0), (255, 3)];
        pools.fill(block, &pairs);
        for (width, visits) in [(Width::Sixteen, 65_535), (Width::ThirtyTwo, 4_000_000_000)] {
            assert!(block.width.has_room(pairs[0].0 - 1) && !block.width.has_room(pairs[0].0));
            block = pools.widen(block);
            assert_eq!(block.width, width);
            assert_eq!(pools.list(block), pairs);
            pairs = vec![(visits, visits), (1, 0), (visits, 2)];
            pools.fill(block, &pairs);
            assert_eq!(pools.list(block), pairs);
        }
        assert!(block.width.has_room(u32::MAX));
    }
}
