"""The site's frame around a page of Django's engine."""

from django import template
from django.template.context import Context
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


@register.simple_block_tag(takes_context=True)
def site_frame(context: Context, content: SafeString) -> SafeString:
    """Return a page of the site around what the block shows."""
    page = render_to_string("frame.html", {"content": content}, context.get("request"))
    return mark_safe(page)  # noqa: S308 - of a template
