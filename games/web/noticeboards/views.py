"""Noticeboards of games, clubs and tournaments: topics, replies, and what moderators release."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Min
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import texts
from accounts.limits import limited
from accounts.notifications import mark_seen
from accounts.optional import optional_write
from accounts.requests import UserRequest, signed_in
from games.clubs import selectors as clubs
from games.events import selectors as events
from games.http.errors import status_of
from games.http.paging import Cursor, page_of
from games.kernel.errors import GameError
from games.noticeboards import selectors, services
from games.noticeboards.boards import Board
from games.noticeboards.models import MAX_POST_LENGTH, MAX_SUBJECT_LENGTH, Post, Topic
from games.noticeboards.notifications import page_key, people_in
from games.web import refusals
from games.web.clubs.forms import FORMATTED
from games.web.noticeboards.feeds import feed
from games.web.study.embedding import board_pictures
from games.web.titles import title_or_404

POSTS = 20
"""How many posts a page of a topic shows."""

WAITS = gettext_lazy(
    "Your post has a link and is your first, so a moderator looks at it before others see it."
)


class PostForm(forms.Form):
    submission = forms.UUIDField(required=False, widget=forms.HiddenInput)
    text = texts.TextInput(
        label=gettext_lazy("Text"),
        max_length=MAX_POST_LENGTH,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=format_lazy("{} {}", FORMATTED, gettext_lazy("Write @name to notify somebody.")),
    )

    def __init__(self, data: Any = None, **kwargs: Any) -> None:
        kwargs.setdefault("initial", {})
        kwargs["initial"].setdefault("submission", uuid4())
        super().__init__(data, **kwargs)

    @property
    def sent_as(self) -> UUID:
        """The submission id. A new one if it is missing."""
        return self.cleaned_data["submission"] or uuid4()


class TopicForm(PostForm):
    subject = texts.TextInput(
        label=pgettext_lazy("topic", "Subject"),
        max_length=MAX_SUBJECT_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    field_order = ("submission", "subject", "text")


def club_board(club_id: int, user: Any) -> Board:
    """Return the board of a club.

    :raises Unknown: there is no such club.
    :raises Http404: the user may not read its board.
    """
    return _readable(Board(club=clubs.get(club_id)), user)


def game_board(slug: str, user: Any) -> Board:
    """:raises Http404: there is no such game."""
    return _readable(Board(game=title_or_404(slug).meta.slug), user)


def event_board(event_id: int, user: Any) -> Board:
    """:raises Unknown: there is no such tournament."""
    return _readable(Board(tournament=events.get(event_id)), user)


def _readable(board: Board, user: Any) -> Board:
    if not board.may_read(user):
        raise Http404(_("Only members read this."))
    return board


@require_safe
def club_noticeboard(request: HttpRequest, club_id: int) -> HttpResponse:
    return _board_page(request, club_board(club_id, request.user))


@require_safe
def game_noticeboard(request: HttpRequest, slug: str) -> HttpResponse:
    return _board_page(request, game_board(slug, request.user))


@require_safe
def event_noticeboard(request: HttpRequest, event_id: int) -> HttpResponse:
    return _board_page(request, event_board(event_id, request.user))


def _board_page(request: HttpRequest, board: Board) -> HttpResponse:
    context = {
        "board": board,
        "page": page_of(selectors.topics(board, request.user), request, by="-latest"),
        "refusal": board.refusal(request.user, timezone.now()),
    }
    return render(request, "noticeboards/board.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limited("board-topic")
def club_noticeboard_new(request: UserRequest, club_id: int) -> HttpResponse:
    return _new_page(request, club_board(club_id, request.user))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limited("board-topic")
def game_noticeboard_new(request: UserRequest, slug: str) -> HttpResponse:
    return _new_page(request, game_board(slug, request.user))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limited("board-topic")
def event_noticeboard_new(request: UserRequest, event_id: int) -> HttpResponse:
    return _new_page(request, event_board(event_id, request.user))


def _new_page(request: UserRequest, board: Board) -> HttpResponse:
    """Show the form of a topic, or begin one."""
    now = timezone.now()
    form = TopicForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        words = {key: form.cleaned_data[key] for key in ("subject", "text")}
        with refusals.InForm(form):
            post = services.begin(
                board=board, user=request.user, submission=form.sent_as, now=now, **words
            )
            return _to_post(request, post)
    context = {"board": board, "form": form, "refusal": board.refusal(request.user, now)}
    status = 422 if form.errors else 200
    return render(request, "noticeboards/new.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def topic(request: HttpRequest, topic_id: int) -> HttpResponse:
    """Show a topic, which marks it as read, or reply to it."""
    shown = selectors.topic(topic_id, request.user)
    if request.method == "POST":
        return _reply(request, topic_id)
    return _topic_page(request, shown, PostForm())


def _topic_page(
    request: HttpRequest, shown: Topic, form: PostForm, status: int = 200
) -> HttpResponse:
    user = request.user
    now = timezone.now()
    rows = selectors.posts(shown, user)
    page = page_of(rows, request, by="created", length=POSTS)
    board = Board.of(shown)
    context = {
        "topic": shown,
        "board": board,
        "page": page,
        "people": people_in(page.items),
        "boards": board_pictures(page.items, user),
        "form": form,
        "refusal": board.refusal(user, now),
        "last": page.items[-1].pk if page.items and not page.older else 0,
        "news": {"count": 0},
        "follows": selectors.follows(shown, user),
        "editable_since": now - services.EDITABLE,
        "moderates": user.has_perm(selectors.MODERATES),
    }
    answer = render(request, "noticeboards/topic.html", context, status=status)
    if user.is_authenticated and page.items:
        with optional_write("how far a topic was read"):
            services.mark_read(shown, signed_in(request), page.items[-1].pk)
            mark_seen(recipient=user, page_keys=[page_key(shown.pk)], now=now)
    return answer


@require_safe
def topic_news(request: HttpRequest, topic_id: int, post_id: int) -> HttpResponse:
    """Say how many replies of others follow a post, for a page that shows the topic up to it."""
    shown = selectors.topic(topic_id, request.user)
    newer = selectors.posts(shown, request.user).filter(pk__gt=post_id, hidden=None)
    of_others = newer.exclude(author=request.user.pk).order_by()
    news = of_others.aggregate(count=Count("pk"), first=Min("pk"))
    context = {"topic": shown, "last": post_id, "news": news}
    return render(request, "noticeboards/news.html", context)


@login_required
@limited("board-post")
def _reply(request: UserRequest, topic_id: int) -> HttpResponse:
    form = PostForm(request.POST)
    status = 422
    if form.is_valid():
        how: dict[str, Any] = {"user": request.user, "now": timezone.now()}
        try:
            post = services.reply(
                topic_id=topic_id,
                text=form.cleaned_data["text"],
                submission=form.sent_as,
                **how,
            )
        except GameError as refusal:
            form.add_error(None, str(refusal))
            status = status_of(refusal)
        else:
            return _to_post(request, post)
    return _topic_page(request, selectors.topic(topic_id, request.user), form, status)


def _to_post(request: HttpRequest, post: Post) -> HttpResponse:
    """Go to a new post, which is on the last page of its topic."""
    if post.waits:
        messages.info(request, str(WAITS))
    return redirect("post", post.pk)


@require_safe
def post(request: HttpRequest, post_id: int) -> HttpResponse:
    """Go to the page of a topic that begins with a post."""
    found = selectors.post(post_id, request.user)
    before = found.topic.posts.filter(created__lt=found.created).count()
    if before < POSTS:
        return redirect(found)
    return redirect(_from(found))


def _from(found: Post) -> str:
    """Return the address of the page of a topic that ends with a post."""
    cursor = Cursor(found.created + timedelta(microseconds=1), found.pk, is_before=True)
    return f"{found.topic.get_absolute_url()}?page={cursor.write()}#post-{found.pk}"


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("board-post")
def post_edit(request: UserRequest, post_id: int) -> HttpResponse:
    """Edit one's own post, within ten minutes."""
    found = selectors.post(post_id, request.user)
    if found.author_id != request.user.pk:
        raise Http404(_("This post is somebody else’s."))
    form = PostForm(
        request.POST if request.method == "POST" else None, initial={"text": found.text}
    )
    status = 422 if form.errors else 200
    if form.is_valid():
        how: dict[str, Any] = {"user": request.user, "now": timezone.now()}
        try:
            edited = services.edit(post_id=post_id, text=form.cleaned_data["text"], **how)
        except GameError as refusal:
            form.add_error(None, str(refusal))
            status = status_of(refusal)
        else:
            return _to_post(request, edited)
    context = {"post": found, "form": form}
    return render(request, "noticeboards/edit.html", context, status=status)


@login_required
@require_POST
@limited("board-follow")
def topic_follow(request: UserRequest, topic_id: int) -> HttpResponse:
    """Follow a topic, or stop following with ``unfollow`` in the form."""
    follows = "unfollow" not in request.POST
    with refusals.AsMessage(request):
        services.follow(topic_id=topic_id, user=request.user, follows=follows)
        followed, unfollowed = (
            _("You follow this topic now."),
            _("You no longer follow this topic."),
        )
        said = followed if follows else unfollowed
        messages.success(request, said)
    return redirect("topic", topic_id)


@require_safe
def club_noticeboard_feed(request: HttpRequest, club_id: int) -> HttpResponse:
    return feed(request, club_board(club_id, AnonymousUser()))


@require_safe
def game_noticeboard_feed(request: HttpRequest, slug: str) -> HttpResponse:
    return feed(request, game_board(slug, AnonymousUser()))


@require_safe
def event_noticeboard_feed(request: HttpRequest, event_id: int) -> HttpResponse:
    return feed(request, event_board(event_id, AnonymousUser()))
