"""Settings that are the same everywhere."""

from pathlib import Path
from typing import Any

import django_stubs_ext
from csp.constants import NONE, SELF
from django.contrib.messages import constants as message_levels

from config.catalogues import FOLDER, compiled_languages
from config.logs import carry_request_ids
from config.settings.limits import *  # noqa: F403
from config.settings.rest import REST_FRAMEWORK, SPECTACULAR_SETTINGS  # noqa: F401 - settings
from games.kernel import registry

# Django's generic classes take their type arguments at run time too.
django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parents[2]

# --- The parts of the site ---------------------------------------------------------------------

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django.contrib.sitemaps",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "channels",
    "csp",
    "django_countries",
    "django_structlog",
    "drf_spectacular",
    "rest_framework",
    "accounts",
    "games",
    "games.matches",
    "games.talk",
    "games.lobby",
    "games.statistics",
    "games.ratings",
    "games.bots",
    "games.ladders",
    "games.news",
    "games.events",
    "games.achievements",
    "games.explorer",
    "games.clubs",
    "games.teams",
    "games.noticeboards",
    "games.moderation",
    "games.records",
    "games.study",
]

MIDDLEWARE = [
    "django_structlog.middlewares.RequestMiddleware",
    "config.middleware.RequestIdMiddleware",
    "config.middleware.HeadMiddleware",
    "games.api.errors.ProblemMiddleware",
    "config.middleware.MethodMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_permissions_policy.PermissionsPolicyMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "games.health.HealthMiddleware",  # below what sets headers, above what checks the host
    "config.middleware.HostPortMiddleware",
    "config.middleware.BodySizeMiddleware",
    "accounts.middleware.SessionMiddleware",
    "config.middleware.SlashMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "config.middleware.PrivateMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.security.sessions.SessionAgeMiddleware",
    "accounts.middleware.ReaderMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",  # in the reader's language
    "accounts.sanctions.middleware.StandingMiddleware",
    "accounts.middleware.GuestMiddleware",
    "accounts.middleware.LimitMiddleware",
    "games.web.match.unreadable.UnreadableMiddleware",
    "games.web.refusals.UnknownMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

CONTEXT_PROCESSORS = [
    "django.template.context_processors.request",
    "django.contrib.auth.context_processors.auth",
    "django.contrib.messages.context_processors.messages",
]

# The site's own pages are in Jinja2. Django's engine renders the admin and mails.
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "environment": "games.web.environment.environment",
            "context_processors": CONTEXT_PROCESSORS,
        },
    },
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates" / "django"],
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": CONTEXT_PROCESSORS},
    },
]

FORM_RENDERER = "config.form_renderer.FormRenderer"

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
MESSAGE_LEVEL = message_levels.INFO

# --- Language and time -------------------------------------------------------------------------

# Who runs the site, where visitors can write, and where its source is; shown on pages.
CONTACT_EMAIL = "turnstone@localhost"
OPERATOR = ""
SOURCE_URL = ""
SITE_TOURNAMENTS = False

LANGUAGE_CODE = "en-gb"
# English, and what tools/messages.py has compiled: translations that are nearly complete.
LOCALE_PATHS = [FOLDER, *registry.locale_folders()]
LANGUAGES = [(LANGUAGE_CODE, "English"), *compiled_languages(FOLDER)]
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 60 * 60
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_HTTPONLY = True
USE_I18N = True
TIME_ZONE = "UTC"
USE_TZ = True

# --- Accounts (django-allauth) -----------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("username", "email")},
    },
    {
        "NAME": "accounts.passwords.LengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "accounts.passwords.LeakValidator"},
    {"NAME": "accounts.passwords.StrengthValidator"},
]
# A password that another hasher has stored is hashed again when its owner signs in.
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "my-matches"
LOGOUT_REDIRECT_URL = "home"

ACCOUNT_ADAPTER = "accounts.adapter.Adapter"
ACCOUNT_FORMS = {
    "add_email": "accounts.forms.AddEmailForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "login": "accounts.forms.LoginForm",
    "reauthenticate": "accounts.forms.ReauthenticateForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
    "reset_password_from_key": "accounts.forms.ResetPasswordKeyForm",
    "set_password": "accounts.forms.SetPasswordForm",
    "signup": "accounts.forms.SignupForm",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
ACCOUNT_USERNAME_MIN_LENGTH = 3
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_PREVENT_ENUMERATION = True
# Mails and pages say three days.
ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS = 3
PASSWORD_RESET_TIMEOUT = 3 * 24 * 3600  # seconds
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
# One address: a new one replaces the old one when both have agreed.
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
# Mail the owner about each change of password or address.
ACCOUNT_EMAIL_NOTIFICATIONS = True
# Against guessing: requests per period and network address, user or key (the name tried). Other
# limits are allauth's.
ACCOUNT_RATE_LIMITS = {
    "login": "30/m/ip",
    "login_failed": "10/m/ip,5/5m/key",
    "signup": "20/m/ip,200/d/ip",
    "reset_password": "20/m/ip,5/m/key,20/d/key",
    "reset_password_from_key": "20/m/ip",
    "reauthenticate": "10/m/user",
    "change_password": "5/m/user",
    "manage_email": "10/m/user,30/d/user",
    "confirm_email": "1/3m/key,5/d/key",
}
# Against mass sign-up (accounts.proof_of_work): how many numbers a browser tries at most before
# somebody can join. 256 take a phone up to a second; 0 turns it off.
SIGNUP_WORK = 256
# Seconds for which the form must have been open if the browser can't solve the puzzle.
SIGNUP_WAIT = 20
# A code is valid only in its own half minute, since allauth remembers its use no longer. The code
# that sets up an app counts as used too (accounts.security.forms).
MFA_ADAPTER = "accounts.security.mfa.Adapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Turnstone"
MFA_FORMS = {
    "authenticate": "accounts.security.forms.CodeForm",
    "reauthenticate": "accounts.security.forms.CodeAgainForm",
    "activate_totp": "accounts.security.forms.AddTotpForm",
    "add_webauthn": "accounts.security.forms.AddPasskeyForm",
    "edit_webauthn": "accounts.security.forms.RenamePasskeyForm",
}
# Whether people with rights need a second factor.
STAFF_SECOND_FACTOR = True
# The cookie that identifies known browsers, so that guessing doesn't lock the owner out.
DEVICE_COOKIE_NAME = "device"

RATELIMIT_IP_META_KEY = "accounts.limits.address"
RATELIMIT_FAIL_OPEN = True

# The only push receiver that may be on this machine and without TLS, such as http://127.0.0.1:9000;
# for tests.
PUSH_TEST_RECEIVER = ""

# Moves by mail (games.mail): the domain of reply addresses, empty to turn it off; the name under
# which the relay reports about senders (RFC 8601); the relays' networks.
REPLY_DOMAIN = ""
REPLY_AUTHSERV = ""
REPLY_RELAYS: list[str] = []
REPLY_PORT = 8025

# --- Files served to browsers ------------------------------------------------------------------

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static", *registry.static_folders()]

# --- The server ---------------------------------------------------------------------------------

# The port that a Host header may name; None allows any.
HOST_PORT: int | None = None
# The number of our proxies in a row, whose headers are trusted.
PROXIES = 0
# How many connections, and as many sockets, one client may have open at a process.
CLIENT_CONNECTIONS = 100

# --- What browsers may load and do -------------------------------------------------------------

CONTENT_SECURITY_POLICY: dict[str, Any] = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}
X_FRAME_OPTIONS = "DENY"
# Load balancers use plain HTTP for health checks.
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_REFERRER_POLICY = "same-origin"
# The most connections to PostgreSQL of an event loop, for moves and pages over sockets. With 0,
# threads run its statements.
LOOP_CONNECTIONS = 0
SESSION_ENGINE = "accounts.sessions"
# Seconds after which an unused session ends (accounts.security.sessions).
SESSION_COOKIE_AGE = 14 * 24 * 3600
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"

# --- Scheduled jobs (Celery) -------------------------------------------------------------------


def _every(seconds: int, task: str) -> dict[str, Any]:
    """Return a schedule entry. A task that waited a whole period expires."""
    return {"task": task, "schedule": seconds, "options": {"expires": seconds}}


# The queue of what no match waits for.
EXTRAS = "extras"
# Each queue has workers of its own, so that no kind of work waits for another. Users choose the
# endpoints of pushes, so a slow one must not hold up mail.
WORK_QUEUES = {
    "deadlines": [
        "games.matches.tasks.sweep_clocks",
        "games.matches.tasks.send_reminders",
        "games.lobby.tasks.expire_challenges",
        "games.events.tasks.sweep_tournaments",
        "games.events.tasks.advance_tournaments",
        "games.events.tasks.draw_first_rounds",
        "games.teams.tasks.sweep_team_matches",
    ],
    "moves": [
        "games.matches.tasks.sweep_orders",
        "games.matches.tasks.answer_order",
        "games.matches.tasks.sweep_queues",
        "games.matches.tasks.run_queues",
        "games.bots.tasks.sweep_bots",
        "games.records.tasks.sweep_animations",
        "games.study.tasks.sweep_reviews",
    ],
    "mail": [
        "accounts.tasks.send_notifications",
        "accounts.tasks.send_mails",
        "accounts.tasks.report_errors",
        "accounts.tasks.forget_unfinished",
        "accounts.tasks.forget_guests",
        "accounts.tasks.forget_sessions",
        "accounts.tasks.forget_events",
        "accounts.tasks.delete_accounts",
        "games.moderation.tasks.tell_admins",
        "games.statistics.tasks.count_matches",
        "games.ratings.tasks.rate_matches",
        "games.ratings.tasks.sweep_ratings",
        "games.ratings.tasks.sweep_late_matches",
        "games.ladders.tasks.settle_match",
        "games.ladders.tasks.sweep_ladders",
        "games.clubs.tasks.send_club_messages",
        "games.matches.tasks.measure_pace",
        "games.tasks.notify_of_followed",
    ],
    "pushes": ["accounts.tasks.send_pushes"],
    # Takes seconds of a core. How many run at once: "More processes" in docs/running.md.
    "thinking": ["games.bots.tasks.think", "games.study.tasks.answer_expert"],
    # Takes seconds, too. Workers of this queue alone have the lowest priority (config.celery).
    EXTRAS: [
        "games.achievements.tasks.give_achievements",
        "games.achievements.tasks.sweep_achievements",
        "games.achievements.tasks.sweep_old_achievements",
        "games.explorer.tasks.explore_match",
        "games.explorer.tasks.sweep_explorer",
        "games.explorer.tasks.sweep_old_explorer",
        "games.records.tasks.make_animation",
        "games.study.tasks.work_on_review",
    ],
}
CELERY_TASK_ROUTES = {
    task: {"queue": queue} for queue, tasks in WORK_QUEUES.items() for task in tasks
}
CELERY_TASK_DEFAULT_QUEUE = "mail"
CELERY_BEAT_SCHEDULE = {
    # Often enough that its age stays below a minute even if one run is lost.
    "sweep-clocks": _every(20, "games.matches.tasks.sweep_clocks"),
    "sweep-orders": _every(10, "games.matches.tasks.sweep_orders"),
    "sweep-queues": _every(10, "games.matches.tasks.sweep_queues"),
    "sweep-bots": _every(10, "games.bots.tasks.sweep_bots"),
    "sweep-animations": _every(60, "games.records.tasks.sweep_animations"),
    "sweep-reviews": _every(60, "games.study.tasks.sweep_reviews"),
    "send-reminders": _every(60, "games.matches.tasks.send_reminders"),
    "expire-challenges": _every(60, "games.lobby.tasks.expire_challenges"),
    "sweep-tournaments": _every(60, "games.events.tasks.sweep_tournaments"),
    "sweep-team-matches": _every(60, "games.teams.tasks.sweep_team_matches"),
    "send-notifications": _every(10, "accounts.tasks.send_notifications"),
    "send-pushes": _every(5, "accounts.tasks.send_pushes"),
    "report-errors": _every(60, "accounts.tasks.report_errors"),
    "send-mails": _every(5, "accounts.tasks.send_mails"),
    "forget-unfinished": _every(3600, "accounts.tasks.forget_unfinished"),
    "forget-guests": _every(3600, "accounts.tasks.forget_guests"),
    "forget-sessions": _every(3600, "accounts.tasks.forget_sessions"),
    "tell-admins-of-cases": _every(3600, "games.moderation.tasks.tell_admins"),
    "measure-pace": _every(600, "games.matches.tasks.measure_pace"),
    "delete-accounts": _every(3600, "accounts.tasks.delete_accounts"),
    "count-matches": _every(60, "games.statistics.tasks.count_matches"),
    "sweep-ratings": _every(60, "games.ratings.tasks.sweep_ratings"),
    "sweep-ladders": _every(60, "games.ladders.tasks.sweep_ladders"),
    "sweep-achievements": _every(60, "games.achievements.tasks.sweep_achievements"),
    "sweep-old-achievements": _every(24 * 3600, "games.achievements.tasks.sweep_old_achievements"),
    "sweep-explorer": _every(60, "games.explorer.tasks.sweep_explorer"),
    "sweep-old-explorer": _every(24 * 3600, "games.explorer.tasks.sweep_old_explorer"),
    "sweep-late-matches": _every(24 * 3600, "games.ratings.tasks.sweep_late_matches"),
    "send-club-messages": _every(20, "games.clubs.tasks.send_club_messages"),
    # The first run of a day, by UTC, finds what happened the day before.
    "notify-of-followed": _every(3600, "games.tasks.notify_of_followed"),
    "forget-events": _every(3600, "accounts.tasks.forget_events"),
}
CELERY_TIMEZONE = "UTC"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_SOFT_TIME_LIMIT = 240
CELERY_TASK_TIME_LIMIT = 300
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None

# --- What is written down ----------------------------------------------------------------------

carry_request_ids()
# Request ids are passed on to tasks. django-structlog's own events would repeat the access log and
# the logs of Django and Celery.
DJANGO_STRUCTLOG_CELERY_ENABLED = True
DJANGO_STRUCTLOG_USER_ID_FIELD = None
DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = False
DEFAULT_EXCEPTION_REPORTER = "config.redaction.SafeReporter"
DEFAULT_EXCEPTION_REPORTER_FILTER = "config.redaction.SafeFilter"
PERMISSIONS_POLICY: dict[str, list[str]] = {
    feature: []
    for feature in (
        *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope"),
        *("magnetometer", "microphone", "midi", "payment", "usb"),
    )
}

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "safe": {"()": "config.redaction.SafeAddressFilter"},
        "seldom": {"()": "config.logs.RepeatFilter"},
    },
    "formatters": {
        "line": {
            "()": "config.logs.TextFormatter",
            "format": "{asctime} {levelname:<7} {name}: {message}{more}",
            "datefmt": "%Y-%m-%d %H:%M:%S",
            "style": "{",
        },
        "json": {"()": "config.logs.JsonFormatter"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "line",
            "filters": ["safe", "seldom"],
        },
        "mail_admins": {
            "class": "accounts.error_log.ReportHandler",
            "filters": ["safe"],
            "level": "ERROR",
        },
    },
    # Errors of requests, tasks and sockets.
    "root": {"handlers": ["console", "mail_admins"], "level": "INFO"},
    "loggers": {
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        "django.server": {"handlers": [], "propagate": True},
        "celery": {"level": "WARNING"},
        # While Redis is down it would warn every second; the callers log it once.
        "channels_redis": {"level": "CRITICAL"},
        "kombu": {"level": "WARNING"},
        "multiprocessing": {"level": "WARNING"},
        # aiosmtpd would log the addresses of mails, which are secret.
        "mail": {"level": "CRITICAL"},
        "daphne": {"level": "WARNING"},
        "django_structlog": {"level": "CRITICAL"},
        "twisted": {"level": "WARNING"},
    },
}
