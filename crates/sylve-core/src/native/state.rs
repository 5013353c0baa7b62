//! A state of a native game: a block of words.

/// Words that a state holds without memory of its own: 128 bytes. A board of 8 x 8 bytes fits.
pub const INLINE: usize = 16;

/// A block of words. Those that the game does not use are zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum State {
    /// Up to `INLINE` words.
    Small([u64; INLINE]),
    /// More.
    Large(Box<[u64]>),
}

impl State {
    /// So many words, all zero.
    pub fn zero(words: usize) -> State {
        if words <= INLINE {
            State::Small([0; INLINE])
        } else {
            State::Large(vec![0; words].into())
        }
    }

    /// The state of these bytes, which must be whole words.
    pub fn of(bytes: &[u8]) -> State {
        let mut state = State::zero(bytes.len() / 8);
        for (word, bytes) in state.words_mut().iter_mut().zip(bytes.chunks_exact(8)) {
            *word = u64::from_ne_bytes(bytes.try_into().expect("eight bytes"));
        }
        state
    }

    /// Becomes the same as another, in the memory that it has if that will do.
    pub fn copy_from(&mut self, other: &State) {
        match (self, other) {
            (State::Large(words), State::Large(others)) => words.clone_from(others),
            (state, other) => *state = other.clone(),
        }
    }

    /// The words, and perhaps more that are zero.
    #[inline(always)]
    pub fn words(&self) -> &[u64] {
        match self {
            State::Small(words) => words,
            State::Large(words) => words,
        }
    }

    /// The same, to be written to.
    #[inline(always)]
    pub fn words_mut(&mut self) -> &mut [u64] {
        match self {
            State::Small(words) => words,
            State::Large(words) => words,
        }
    }

    /// The bytes of the first so many words.
    pub fn bytes(&self, words: usize) -> Vec<u8> {
        self.words()[..words].iter().flat_map(|word| word.to_ne_bytes()).collect()
    }
}
