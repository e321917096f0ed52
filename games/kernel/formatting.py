"""English that entry, drawings and logs of several games have in common."""

from collections.abc import Sequence


def counted(count: int, noun: str) -> str:
    """Return a number of things, as in ``1 piece`` or ``2 pieces``."""
    return f"{count} {noun if count == 1 else noun + 's'}"


def between(low: int, high: int) -> str:
    """Return a range of numbers, as in ``2 to 6``, or ``2`` if it holds one."""
    return str(low) if low == high else f"{low} to {high}"


def listed(names: Sequence[str], last: str = "and") -> str:
    """Return names as in ``rS1, bM2 and yL3``; empty if there are none."""
    head = names[:-1]
    tail = "".join(names[-1:])
    return f"{', '.join(head)} {last} {tail}" if head else tail


def sentence(text: str) -> str:
    """Return a text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def refusal_sentence(reason: str) -> str:
    """Return a reason as a sentence; a place at its beginning, such as ``c4``, stays small."""
    return sentence(reason) if reason.partition(" ")[0].isalpha() else reason
