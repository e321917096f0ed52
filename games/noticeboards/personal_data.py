"""Personal data on noticeboards."""

from datetime import datetime
from typing import Any

from django.db.models import F

from accounts.models import User
from accounts.personal_data import PersonalData
from games.noticeboards import services
from games.noticeboards.models import Post, Reading, Topic


class NoticeboardsData(PersonalData):
    """What a user has written on noticeboards, read and followed."""

    def export(self, user: User) -> dict[str, Any]:
        topics = Topic.objects.filter(author=user).order_by("created")
        posts = Post.objects.filter(author=user).order_by("created")
        read = Reading.objects.filter(user=user).order_by("pk")
        return {
            "noticeboards": {
                "topics": list(
                    topics.values("id", "club", "game", "tournament", "subject", "created")
                ),
                "posts": list(
                    posts.values("topic", "text", "created", "edited", "hidden", "waits")
                ),
                "read": list(read.values("topic", "follows", up_to=F("post"))),
            }
        }

    def delete(self, user: User, now: datetime) -> None:
        """Delete all of it. Topics in which others wrote stay, without their subjects."""
        services.delete_all(user)
