"""Settings that are the same everywhere."""

from pathlib import Path
from typing import Any

import django_stubs_ext
from csp.constants import NONE, SELF
from django.contrib.messages import constants as message_levels

from config.logs import carry_request_ids
from config.settings.limits import *  # noqa: F403
from config.settings.rest import REST_FRAMEWORK, SPECTACULAR_SETTINGS  # noqa: F401 - settings

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
    "games.bots",
    "games.moderation",
    "games.records",
]

MIDDLEWARE = [
    "django_structlog.middlewares.RequestMiddleware",
    "config.middleware.RequestIdMiddleware",
    "config.middleware.HeadMiddleware",
    "config.middleware.MethodMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_permissions_policy.PermissionsPolicyMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "games.health.HealthMiddleware",  # below what sets headers, above what checks the host
    "config.middleware.HostPortMiddleware",
    "accounts.middleware.SessionMiddleware",
    "config.middleware.SlashMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "config.middleware.PrivateMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.security.sessions.SessionAgeMiddleware",
    "accounts.middleware.ZoneMiddleware",
    "accounts.sanctions.middleware.StandingMiddleware",
    "accounts.middleware.GuestMiddleware",
    "accounts.middleware.LimitMiddleware",
    "games.web.match.unreadable.UnreadableMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
MESSAGE_LEVEL = message_levels.INFO

# --- Language and time -------------------------------------------------------------------------

# Whom visitors can write to, who runs the site, and where its source can be had; shown on pages.
CONTACT_EMAIL = "turnstone@localhost"
OPERATOR = ""
SOURCE_URL = ""

LANGUAGE_CODE = "en-gb"
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
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "accounts.passwords.LeakValidator"},
    {"NAME": "accounts.passwords.StrengthValidator"},
]
# A password that another hasher has stored is hashed anew when its owner signs in.
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
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
# One address: a new one takes the old one's place when it is confirmed.
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
# A mail to the owner for each change of password or address.
ACCOUNT_EMAIL_NOTIFICATIONS = True
# Against guessing: requests per span and address, user or key (the name that is tried). What is
# not named here keeps allauth's own limit.
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
# A defence against mass sign-up (accounts.proof_of_work): how many numbers a browser tries, at
# most, before it may send the form to join. 256 take a phone up to a second; 0 asks for no work.
SIGNUP_WORK = 256
# Seconds for which the form has to be open where a browser does no work.
SIGNUP_WAIT = 20
# Second factors. A code is taken in its own half minute: allauth notes its use for no longer. The
# code that sets up an app counts as used too (accounts.security.forms).
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
# Whether rights (the admin) are used with a second factor only.
STAFF_SECOND_FACTOR = True
# By which a browser is known again, lest others who guess at an account lock its owner out.
DEVICE_COOKIE_NAME = "device"

RATELIMIT_IP_META_KEY = "accounts.limits.address"
RATELIMIT_FAIL_OPEN = True

# The one receiver of pushes that may be on this machine and without TLS, such as
# http://127.0.0.1:9000; for tests alone.
PUSH_TEST_RECEIVER = ""

# Moves by mail (games.mail): the domain of addresses for answers, empty where mails cannot be
# answered; the name under which the relay in front tells of senders (RFC 8601); the networks of
# relays, which nobody else speaks for.
REPLY_DOMAIN = ""
REPLY_AUTHSERV = ""
REPLY_RELAYS: list[str] = []
REPLY_PORT = 8025

# --- Files served to browsers ------------------------------------------------------------------

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static", *sorted(BASE_DIR.glob("games/titles/*/static"))]

# --- The server ---------------------------------------------------------------------------------

# The port that a Host header may name; None allows every port.
HOST_PORT: int | None = None
# How many proxies of ours stand in front: their headers are believed, and nobody else's.
PROXIES = 0
# The most connections, and as many sockets, that one client may have open at a process.
CLIENT_CONNECTIONS = 100

# --- What browsers are told to allow -----------------------------------------------------------

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
# Load balancers ask about health over plain HTTP.
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_REFERRER_POLICY = "same-origin"
SESSION_ENGINE = "accounts.sessions"
# Seconds after which a session ends that is not used (accounts.security.sessions).
SESSION_COOKIE_AGE = 14 * 24 * 3600
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"

# --- The clockwork (Celery) --------------------------------------------------------------------


def _every(seconds: int, task: str) -> dict[str, Any]:
    """A task to run every so often; a copy that waited a whole period is dropped, not piled up."""
    return {"task": task, "schedule": seconds, "options": {"expires": seconds}}


# Each queue has workers of its own, so that no kind of work waits for another: jobs that may not
# be late, moves of bots and of what players left behind, mail, pushes to browsers, and the thinking
# of bots. Users choose the endpoints of pushes, so a slow one must not hold up mail.
WORK_QUEUES = {
    "deadlines": [
        "games.matches.tasks.sweep_clocks",
        "games.matches.tasks.send_reminders",
        "games.lobby.tasks.expire_challenges",
    ],
    "moves": [
        "games.matches.tasks.sweep_orders",
        "games.matches.tasks.answer_order",
        "games.matches.tasks.sweep_queues",
        "games.matches.tasks.run_queues",
        "games.bots.tasks.sweep_bots",
        "games.records.tasks.sweep_animations",
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
        "games.matches.tasks.measure_pace",
    ],
    "pushes": ["accounts.tasks.send_pushes"],
    # What takes seconds of a core, and nobody waits for at the board.
    "thinking": ["games.bots.tasks.think", "games.records.tasks.make_animation"],
}
CELERY_TASK_ROUTES = {
    task: {"queue": queue} for queue, tasks in WORK_QUEUES.items() for task in tasks
}
CELERY_TASK_DEFAULT_QUEUE = "mail"
CELERY_BEAT_SCHEDULE = {
    # Its age stays below a minute though one tick is lost.
    "sweep-clocks": _every(20, "games.matches.tasks.sweep_clocks"),
    "sweep-orders": _every(10, "games.matches.tasks.sweep_orders"),
    "sweep-queues": _every(10, "games.matches.tasks.sweep_queues"),
    "sweep-bots": _every(10, "games.bots.tasks.sweep_bots"),
    "sweep-animations": _every(60, "games.records.tasks.sweep_animations"),
    "send-reminders": _every(60, "games.matches.tasks.send_reminders"),
    "expire-challenges": _every(60, "games.lobby.tasks.expire_challenges"),
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
    "forget-events": _every(3600, "accounts.tasks.forget_events"),
}
CELERY_TIMEZONE = "UTC"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_SOFT_TIME_LIMIT = 240
CELERY_TASK_TIME_LIMIT = 300
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None

# --- What is written down ----------------------------------------------------------------------

carry_request_ids()
# Request ids are handed on to tasks. What django-structlog would log itself stands elsewhere: each
# request in the access log, what fails in the log of Django and Celery.
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
        "seldom": {"()": "config.logs.Seldom"},
    },
    "formatters": {
        "line": {
            "()": "config.logs.Line",
            "format": "{asctime} {levelname:<7} {name}: {message}{more}",
            "datefmt": "%Y-%m-%d %H:%M:%S",
            "style": "{",
        },
        "json": {"()": "config.logs.JsonLine"},
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
    # Errors of requests, tasks and sockets alike.
    "root": {"handlers": ["console", "mail_admins"], "level": "INFO"},
    "loggers": {
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        "django.server": {"handlers": [], "propagate": True},
        "celery": {"level": "WARNING"},
        # While Redis is away it would tell so each second; what waits for Redis tells it once.
        "channels_redis": {"level": "CRITICAL"},
        "kombu": {"level": "WARNING"},
        # aiosmtpd's own: it would write down the addresses that mails go to, which are secret.
        "mail": {"level": "CRITICAL"},
        "daphne": {"level": "WARNING"},
        "django_structlog": {"level": "CRITICAL"},
        "twisted": {"level": "WARNING"},
    },
}
