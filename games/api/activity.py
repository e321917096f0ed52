"""The API view of what happens on the site."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.mail import absolute
from games.api.base import ApiView
from games.api.serializers import MomentField
from games.http import activity
from games.http.activity import Activity, Item


class ItemSerializer(serializers.Serializer[Item]):
    """Something that happened."""

    at = MomentField()
    kind = serializers.ChoiceField(
        choices=activity.KINDS,
        help_text=(
            "The `result` of a match or a `tournament`, an open `challenge`, a change of a"
            " `ladder`, an `achievement`, or a public `collection`."
        ),
    )
    text = serializers.CharField(help_text="What happened, in a sentence.")
    url = serializers.SerializerMethodField(help_text="The page about it.")

    def get_url(self, item: Item) -> str:
        return absolute(item.url)


class NewsSerializer(serializers.Serializer[Any]):
    """A piece of news by the operators."""

    at = MomentField()
    title = serializers.CharField()
    text = serializers.CharField()


class ActivitySerializer(serializers.Serializer[Activity]):
    """What happened lately, the latest first. It is at most a minute old."""

    items = ItemSerializer(many=True)
    here_today = serializers.IntegerField(help_text="How many people have been here today, by UTC.")
    news = NewsSerializer(many=True)


class ActivityView(ApiView):
    is_public = True

    @extend_schema(responses=ActivitySerializer)
    def get(self, request: Request) -> Response:
        """Read the latest results, challenges, ladders, achievements, collections and news."""
        return Response(ActivitySerializer(activity.latest(timezone.now())).data)
