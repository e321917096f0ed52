"""Results of matches: ranks by seat."""

from collections.abc import Collection, Sequence

from games.kernel.contract import Ranks

WON_BY: tuple[Ranks, Ranks] = ((1, 2), (2, 1))
"""The results of a match of two that one of them wins, by the seat of the winner."""

DRAWN: Ranks = (1, 1)
"""The result of a draw of two."""


def rank(points: Sequence[int], best: Collection[int], dropped: Sequence[int]) -> Ranks:
    """Rank the best seats by their points, then the others, then those that dropped out.

    ``points`` are those of all seats. Of the seats that ``dropped`` out, the last one ranks first.
    """
    ranks = dict.fromkeys(range(len(points)), len(best) + 1)
    ranks |= {seat: 1 + sum(points[other] > points[seat] for other in best) for seat in best}
    ranks |= {seat: len(points) - place for place, seat in enumerate(dropped)}
    return tuple(ranks.values())
