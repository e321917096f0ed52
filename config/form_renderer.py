"""How fields of forms are written, for the setting ``FORM_RENDERER``."""

from typing import Any

from django.forms.renderers import BaseRenderer, DjangoTemplates, Jinja2
from django.template import TemplateDoesNotExist
from django.template.loader import get_template

SELECT = "django/forms/widgets/select.html"


class FormRenderer(BaseRenderer):
    """Writes fields by Jinja2, as all of a page. Widgets of the admin have Django's templates only.

    Lists to choose from have a template of ours: Django's renders two more for each option, which
    takes eight times as long for all countries.
    """

    def __init__(self) -> None:
        self.jinja, self.django = Jinja2(), DjangoTemplates()

    def get_template(self, template_name: str) -> Any:
        """Return the template of a widget."""
        if template_name == SELECT:
            return get_template("partials/select.html")
        try:
            return self.jinja.get_template(template_name)
        except TemplateDoesNotExist:
            return self.django.get_template(template_name)
