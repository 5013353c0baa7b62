"""Document 004: two evaluations and alpha-beta for Othello, as methods of a player."""

from __future__ import annotations

import math
from itertools import product

from sylve.evaluations.othello import table
from sylve.position import Position

Square = tuple[int, int]


class OthelloGame:
    """The board that the document's code asks: a position of `sylve` behind its names."""

    def __init__(self, position: Position | None = None) -> None:
        self.position = position or Position.start("othello")

    @property
    def current_board(self) -> list[list[str]]:
        """Rows of "B", "W" and "."."""
        rows = self.position.text.split()[0].split("/")
        return [["BW."["xo.".index(cell)] for cell in row] for row in rows]

    def get_turn(self) -> str:
        """Who is to move."""
        return "BW"[self.position.turn]

    def switch_turn(self) -> None:
        """Let the other side move."""
        board, turn = self.position.text.split()
        other = "o" if turn == "x" else "x"
        self.position = Position.parse(self.position.game, f"{board} {other}")

    def get_possible_move(self) -> list[Square]:
        """Row and column of each legal move; empty where the side must pass."""
        size = len(self.current_board)
        return [divmod(move, size) for move in self.position.moves if move < size * size]

    def move(self, row: int, col: int) -> None:
        """Play on a square."""
        self.position = self.position.play(row * len(self.current_board) + col)

    def copy_game(self) -> OthelloGame:
        """A board of its own."""
        return OthelloGame(self.position)

    def compute_scores(self) -> tuple[int, int]:
        """The discs of Black and of White."""
        board = self.position.text.split()[0]
        return board.count("x"), board.count("o")

    def is_game_over(self) -> bool:
        """Whether neither side can move."""
        return self.position.outcome is not None


class Simple:
    """The player with "Version simple": the table of weights."""

    ROWS = COLS = 8
    WEIGHTS = tuple(table(8)[8 * row : 8 * row + 8] for row in range(8))

    def __init__(self, player_color: str = "B") -> None:
        self.player_color = player_color
        self.opp_color = "W" if player_color == "B" else "B"

    def evaluate(self, board: OthelloGame) -> float:
        """The weights of the discs."""
        score = 0
        for row, col in product(range(self.ROWS), range(self.COLS)):
            # slip: the side to move at the leaf, which changes with the depth; alpha_beta wants
            # the value for self.player_color
            turn = board.get_turn()
            opp = "W" if turn == "B" else "B"
            if board.current_board[row][col] == turn:
                score += self.WEIGHTS[row][col]
            elif board.current_board[row][col] == opp:
                score -= self.WEIGHTS[row][col]
        return score

    def alpha_beta(
        self, board: OthelloGame, depth: int, alpha: float, beta: float, maximizing_player: bool
    ) -> tuple[float, Square | None]:
        """The score and the move."""
        if depth == 0 or board.is_game_over():
            return self.evaluate(board), None

        if maximizing_player:
            best_score = -math.inf
            best_move = None
            for move in board.get_possible_move():
                board_copy = board.copy_game()
                board_copy.move(move[0], move[1])
                # slip: the document writes bêta here, a name that does not exist
                score = self.alpha_beta(board_copy, depth - 1, alpha, beta, False)[0]
                best_score = max(score, best_score)
                alpha = max(alpha, best_score)
                if best_score == score:  # slip: the last of equal moves; right: score > best_score
                    best_move = move
                if beta <= alpha:
                    break
            return best_score, best_move  # slip: a side that must pass has -infinity and no move
        best_score = math.inf
        best_move = None
        for move in board.get_possible_move():
            board_copy = board.copy_game()
            board_copy.move(move[0], move[1])
            score = self.alpha_beta(board_copy, depth - 1, alpha, beta, True)[0]
            best_score = min(score, best_score)
            beta = min(beta, best_score)
            if best_score == score:  # slip: the same
                best_move = move
            if beta <= alpha:
                break
        return best_score, best_move  # slip: the same, +infinity


class LessSimple(Simple):
    """The player with "Version moins simple": parity, mobility and corners."""

    def evaluate(self, board: OthelloGame) -> float:
        """The mean of the three."""
        coin_parity, mobility, corners = 0.0, 0.0, 0.0
        (black_tokens, white_tokens) = board.compute_scores()
        color = board.get_turn()  # slip: the side to move at the leaf, as above
        if color == "B":
            coin_parity = 100 * (black_tokens - white_tokens) / (black_tokens + white_tokens)
        elif color == "W":
            coin_parity = 100 * (white_tokens - black_tokens) / (white_tokens + black_tokens)

        player_moves = board.get_possible_move()
        board.switch_turn()
        opp_moves = board.get_possible_move()
        board.switch_turn()
        if len(player_moves) + len(opp_moves) != 0:
            total = len(player_moves) + len(opp_moves)
            mobility = 100 * (len(player_moves) - len(opp_moves)) / total
        else:
            mobility = 0

        player_corners = 0
        opp_corners = 0
        for row, col in product((0, self.ROWS - 1), (0, self.COLS - 1)):
            # slip: the corners are for self.player_color, parity and mobility are not
            if board.current_board[row][col] == self.player_color:
                player_corners += 1
            elif board.current_board[row][col] == self.opp_color:
                opp_corners += 1
        if player_corners + opp_corners != 0:
            corners = 100 * (player_corners - opp_corners) / (player_corners + opp_corners)

        return (coin_parity + mobility + corners) / 3
