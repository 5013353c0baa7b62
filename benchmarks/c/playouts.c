// Random playouts in plain C, the yardstick of benchmarks/README.md: bitboards, popcount, pdep, one
// draw a ply, straight code without tuning. Each function plays `count` games from the start and
// adds to results[0] (won by the first player), results[1] (drawn), results[2] (second).
#include <stdint.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

typedef uint64_t u64;

static u64 state; // SplitMix64

static inline unsigned below(unsigned n) {
    u64 z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (unsigned)(((unsigned __int128)(z ^ (z >> 31)) * n) >> 64);
}

static inline unsigned count_bits(u64 set) { return (unsigned)__builtin_popcountll(set); }

static inline u64 nth_bit(u64 set, unsigned k) {
#ifdef __BMI2__
    return _pdep_u64(1ull << k, set);
#else
    while (k--) set &= set - 1;
    return set & -set;
#endif
}

// Breakthrough. Cell = row * columns + column, White below. Sets of pawns that can go straight, to
// the higher column, to the lower column; the k-th of them moves.
static inline __attribute__((always_inline)) int breakthrough(const int columns, const int rows) {
    const u64 all = columns * rows == 64 ? ~0ull : (1ull << columns * rows) - 1;
    const u64 row = (1ull << columns) - 1, top = row << columns * (rows - 1);
    u64 first_column = 0;
    for (int r = 0; r < rows; r++) first_column |= 1ull << r * columns;
    const u64 not_first = all & ~first_column, not_last = all & ~(first_column << (columns - 1));
    u64 white = row | row << columns, black = top | top >> columns;
    for (;;) {
        u64 straight = white & ~((white | black) >> columns);
        u64 higher = white & not_last & ~(white >> (columns + 1));
        u64 lower = white & not_first & ~(white >> (columns - 1));
        unsigned a = count_bits(straight), b = count_bits(higher), c = count_bits(lower);
        unsigned k = below(a + b + c);
        u64 from, to;
        if (k < a) from = nth_bit(straight, k), to = from << columns;
        else if (k < a + b) from = nth_bit(higher, k - a), to = from << (columns + 1);
        else from = nth_bit(lower, k - a - b), to = from << (columns - 1);
        white ^= from | to;
        black &= ~to;
        if ((to & top) || !black) return 0;

        straight = black & ~((white | black) << columns);
        higher = black & not_last & ~(black << (columns - 1));
        lower = black & not_first & ~(black << (columns + 1));
        a = count_bits(straight), b = count_bits(higher), c = count_bits(lower);
        k = below(a + b + c);
        if (k < a) from = nth_bit(straight, k), to = from >> columns;
        else if (k < a + b) from = nth_bit(higher, k - a), to = from >> (columns - 1);
        else from = nth_bit(lower, k - a - b), to = from >> (columns + 1);
        black ^= from | to;
        white &= ~to;
        if ((to & row) || !white) return 2;
    }
}

void breakthrough_8x8(u64 seed, u64 count, u64 results[3]) {
    for (state = seed; count--;) results[breakthrough(8, 8)]++;
}

void breakthrough_5x5(u64 seed, u64 count, u64 results[3]) {
    for (state = seed; count--;) results[breakthrough(5, 5)]++;
}

// Connect Four, 7 x 6. Column c has bits 7c to 7c + 5 and a guard above them.
#define BOTTOM 0x40810204081ull
#define BOARD (BOTTOM * 63)

static inline int has_four(u64 stones) {
    for (int step = 1; step <= 8; step += step == 1 ? 5 : 1) { // up; down right, right, up right
        u64 pairs = stones & stones >> step;
        if (pairs & pairs >> 2 * step) return 1;
    }
    return 0;
}

void connect_four(u64 seed, u64 count, u64 results[3]) {
    for (state = seed; count--;) {
        u64 me = 0, other = 0, all = 0;
        for (int ply = 0;; ply++) {
            u64 open = (all + BOTTOM) & BOARD; // the lowest empty cell of each column
            if (!open) { results[1]++; break; }
            u64 cell = nth_bit(open, below(count_bits(open)));
            me |= cell, all |= cell;
            if (has_four(me)) { results[ply & 1 ? 2 : 0]++; break; }
            u64 swap = me; me = other, other = swap;
        }
    }
}

// Othello, 8 x 8. The eight directions as shifts; a mask keeps them from wrapping around.
#define NOT_A 0xFEFEFEFEFEFEFEFEull
#define NOT_H 0x7F7F7F7F7F7F7F7Full
#define EACH_DIRECTION(DO) \
    DO(<<, 1, NOT_A) DO(>>, 1, NOT_H) DO(<<, 8, ~0ull) DO(>>, 8, ~0ull) \
    DO(<<, 9, NOT_A) DO(>>, 9, NOT_H) DO(<<, 7, NOT_H) DO(>>, 7, NOT_A)
#define LINE(FROM, OP, N, MASK) /* the unbroken run of `other` discs next to FROM, up to six */ \
    u64 inner = other & MASK, pairs = inner & inner OP N; \
    u64 run = (FROM OP N) & inner; \
    run |= (run OP N) & inner; \
    run |= (run OP 2 * N) & pairs; \
    run |= (run OP 2 * N) & pairs;

static inline u64 othello_moves(u64 me, u64 other) {
    u64 moves = 0;
#define MOVES(OP, N, MASK) { LINE(me, OP, N, MASK) moves |= (run OP N) & MASK; }
    EACH_DIRECTION(MOVES)
    return moves & ~(me | other);
}

static inline u64 othello_flips(u64 cell, u64 me, u64 other) {
    u64 flips = 0;
#define FLIPS(OP, N, MASK) { LINE(cell, OP, N, MASK) if ((run OP N) & MASK & me) flips |= run; }
    EACH_DIRECTION(FLIPS)
    return flips;
}

void othello(u64 seed, u64 count, u64 results[3]) {
    for (state = seed; count--;) {
        u64 me = 0x0000000810000000ull, other = 0x0000001008000000ull;
        int first = 1, passes = 0;
        while (passes < 2) {
            u64 moves = othello_moves(me, other);
            if (moves) {
                u64 cell = nth_bit(moves, below(count_bits(moves)));
                u64 flips = othello_flips(cell, me, other);
                me |= cell | flips, other &= ~flips, passes = 0;
            } else passes++;
            u64 swap = me; me = other, other = swap;
            first = !first;
        }
        int lead = (int)count_bits(me) - (int)count_bits(other);
        if (!first) lead = -lead;
        results[lead > 0 ? 0 : lead < 0 ? 2 : 1]++;
    }
}
