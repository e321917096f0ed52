"""Facts and options of a game as JSON, for the engine protocol and the API."""

from games.kernel.contract import Meta
from games.kernel.options import Choice, Span
from games.kernel.views import Json


def facts(meta: Meta) -> dict[str, Json]:
    """Return the facts that a program needs before it starts a game."""
    return {
        "slug": meta.slug,
        "name": meta.name,
        "title": meta.name,  # the name's field in earlier releases; the next one drops it
        "designer": meta.designer,
        "seats": list(meta.seats),
        "dice": meta.has_chance,
        "params": meta.params,
    }


def offered(option: Choice | Span) -> dict[str, Json]:
    """Return one way in which a move may continue."""
    if isinstance(option, Choice):
        return {"text": option.text, "label": option.label, "marks": list(option.marks)}
    indices = (0, option.count // 2, option.count - 1)
    return {
        "range": [option.low, option.high, option.step],
        "format": option.format,
        "examples": [option.text(index) for index in indices],
        "label": option.label,
    }
