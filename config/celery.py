"""The Celery application: workers start with `celery -A config worker`, the clock with `… beat`."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")

app = Celery("turnstone")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
