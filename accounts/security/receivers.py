"""Connects the security log and the sessions to signals of Django and allauth."""

from allauth.account import signals as account
from allauth.mfa import signals as mfa
from django.contrib.auth import signals as auth

from accounts import tokens
from accounts.delivery import feeds
from accounts.security import events, second_factor, sessions


def connect() -> None:
    auth.user_logged_in.connect(sessions.begin, dispatch_uid="security.begin")
    auth.user_login_failed.connect(events.failed, dispatch_uid="security.failed")
    account.user_logged_in.connect(events.signed_in, dispatch_uid="security.signed_in")
    for changed in (account.password_changed, account.password_set, account.password_reset):
        changed.connect(events.password_changed, dispatch_uid="security.password_changed")
        changed.connect(tokens.password_changed, dispatch_uid="security.tokens")
        changed.connect(feeds.end, dispatch_uid="security.feeds")
    account.email_changed.connect(events.email_changed, dispatch_uid="security.email_changed")
    mfa.authentication_failed.connect(events.code_failed, dispatch_uid="security.code_failed")
    mfa.authenticator_added.connect(events.factor_added, dispatch_uid="security.factor_added")
    mfa.authenticator_added.connect(second_factor.added, dispatch_uid="security.added")
    mfa.authenticator_used.connect(second_factor.used, dispatch_uid="security.used")
    mfa.authenticator_removed.connect(events.factor_removed, dispatch_uid="security.removed")
    mfa.authenticator_reset.connect(events.codes_made, dispatch_uid="security.codes_made")
