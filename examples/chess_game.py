"""Chess as a game of your own, with the rules of python-chess: pip install chess.

The five methods of a game around `chess.Board`, names of moves, and material as an evaluation for
alpha-beta. Any other package of rules is wrapped in the same way.
"""

import chess

from sylve import AlphaBeta, Outcome, Player, Position, Uct, perft, search

WORTH = {chess.PAWN: 1000, chess.KNIGHT: 3000, chess.BISHOP: 3000, chess.ROOK: 5000,
         chess.QUEEN: 9000}  # fmt: skip
LONGEST = 60  # plies of a random game; then material decides


class Chess:
    """The state is a text (FEN): immutable, hashable, equal if the positions are.

    A repetition of positions is not in the text and is no draw here.
    """

    def __init__(self, fen=chess.STARTING_FEN):
        self.fen = fen

    def start(self):
        return self.fen

    def turn(self, state):
        return Player.FIRST if chess.Board(state).turn == chess.WHITE else Player.SECOND

    def outcome(self, state):
        found = chess.Board(state).outcome(claim_draw=False)
        if found is None:
            return None
        if found.winner is None:
            return Outcome(None)
        return Outcome(Player.FIRST if found.winner == chess.WHITE else Player.SECOND)

    def moves(self, state):
        board = chess.Board(state)
        if board.outcome(claim_draw=False) is not None:
            return []
        return sorted(number(move) for move in board.legal_moves)

    def play(self, state, move):
        board = chess.Board(state)
        board.push(as_move(move))
        return board.fen()

    def write_move(self, state, move):
        return chess.Board(state).san(as_move(move))

    def codes(self):
        return 2 * 5 * 64 * 64

    def max_plies(self):
        return LONGEST

    def adjudicate(self, state):
        """The result of a random game that was cut off: who has more."""
        lead = material(chess.Board(state))
        if lead == 0:
            return Outcome(None)
        return Outcome(Player.FIRST if lead > 0 else Player.SECOND)


def number(move):
    """From-square, to-square and promotion as one small integer."""
    promotion = {None: 0, chess.KNIGHT: 1, chess.BISHOP: 2, chess.ROOK: 3, chess.QUEEN: 4}
    return (promotion[move.promotion] * 64 + move.from_square) * 64 + move.to_square


def as_move(number):
    promotion = (None, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)[number // 4096]
    return chess.Move(number // 64 % 64, number % 64, promotion)


def material(board):
    """White's pieces less Black's, in thousandths of a pawn."""
    return sum(
        worth * (len(board.pieces(piece, chess.WHITE)) - len(board.pieces(piece, chess.BLACK)))
        for piece, worth in WORTH.items()
    )


def evaluation(position):
    """Material for the side to move."""
    board = chess.Board(position.state)
    return material(board) if board.turn == chess.WHITE else -material(board)


if __name__ == "__main__":
    print(f"{perft(Position.start(Chess()), 3)} ways to play three plies.")  # 8,902
    mate = Position.start(Chess("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"))
    report = search(mate, Uct(200, seed=1))
    print(f"UCT plays {mate.name(report.best)}: proven {report[report.best].proven}.")
    fork = Position.start(Chess("q3k3/8/8/1N6/8/8/8/4K3 w - - 0 1"))
    report = search(fork, AlphaBeta(3, evaluation=evaluation))
    print(f"Alpha-beta with material plays {fork.name(report.best)}.")
