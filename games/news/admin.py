"""The admin's pages of news."""

from django.contrib import admin

from games.news.models import NewsItem


@admin.register(NewsItem)
class NewsItemAdmin(admin.ModelAdmin[NewsItem]):
    list_display = ("title", "published", "until")
    list_filter = ("published",)
    search_fields = ("title",)
