"""The contexts of Jinja2 templates in the answers of Django's test client."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.http import HttpRequest
from django.template.backends.jinja2 import Template
from django.test.signals import template_rendered


@pytest.fixture(scope="session", autouse=True)
def _contexts_are_seen() -> Iterator[None]:
    """Tell the client what a page was rendered with, as Django's own engine does."""
    write = Template.render

    def render(
        self: Template, context: dict[str, Any] | None = None, request: HttpRequest | None = None
    ) -> str:
        context = {} if context is None else context
        text = write(self, context, request)
        template_rendered.send(sender=self, template=self.template, context=context)
        return text

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Template, "render", render)
        yield
