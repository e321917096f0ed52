"""Why a record is not taken in."""

from games.matches.errors import Refused


class Damaged(Refused):
    """A file that is no record, or one that the rules do not bear out; the sentence says where."""

    code = "damaged-record"


class MayNotImport(Refused):
    """Somebody who may not take a record in, or has taken in as many as one may."""

    code = "may-not-import"


class MayNotCollect(Refused):
    """Somebody who may not keep a position, or keeps as many as one may."""

    code = "may-not-collect"


class NoAnimation(Refused):
    """A stretch of a match of which there is no animation; the sentence says why."""

    code = "no-animation"
