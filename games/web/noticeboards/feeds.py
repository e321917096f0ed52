"""The public feed of a noticeboard: its latest topics and replies."""

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control

from accounts.mail import absolute
from games.http.activity import Item
from games.noticeboards import selectors
from games.noticeboards.boards import Board
from games.noticeboards.models import Post
from games.web.feeds import SECONDS, ItemFeed

MAX_POSTS = 40
"""How many posts a feed has."""


class NoticeboardFeed(ItemFeed):
    """The latest posts of a board that visitors may read."""

    def __init__(self, board: Board) -> None:
        super().__init__()
        self.board = board

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        """Return nothing: the feed is made for its board."""

    def title(self, _obj: Any) -> str:
        return _("Turnstone: noticeboard of {board}").format(board=self.board.name)

    def link(self, _obj: Any) -> str:
        return absolute(self.board.address())

    def items(self, _obj: Any) -> Iterable[Item]:
        shown = selectors.topics(self.board, AnonymousUser())
        posts = Post.objects.filter(topic__in=shown.values("pk"), waits=False, hidden=None)
        latest = posts.select_related("topic", "author").order_by("-created", "-pk")[:MAX_POSTS]
        return [
            Item(
                one.created,
                "post",
                # Translators: a post; {name} has written it in a topic.
                _("{name} in {topic}").format(
                    name=one.author.shown_name, topic=one.topic.shown_subject
                ),
                one.get_absolute_url(),
            )
            for one in latest
        ]


@cache_control(public=True, max_age=SECONDS)
def feed(request: HttpRequest, board: Board) -> HttpResponse:
    return NoticeboardFeed(board)(request)
