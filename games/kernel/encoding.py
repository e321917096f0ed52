"""Facts and options of a game as JSON, for the engine protocol and the API."""

from games.kernel.contract import Meta
from games.kernel.options import Choice, Span
from games.kernel.views import Json


def facts(meta: Meta) -> dict[str, Json]:
    """Return what a program needs to know of a game before it starts one."""
    return {
        "slug": meta.slug,
        "title": meta.name,
        "designer": meta.designer,
        "seats": list(meta.seats),
        "params": meta.params,
    }


def offered(option: Choice | Span) -> dict[str, Json]:
    """Return one way in which a move may go on."""
    if isinstance(option, Choice):
        return {"text": option.text, "label": option.label, "marks": list(option.marks)}
    return {
        "range": [option.low, option.high, option.step],
        "format": option.format,
        "label": option.label,
    }
