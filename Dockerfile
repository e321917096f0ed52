FROM python:3.13-slim AS base
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    DJANGO_SETTINGS_MODULE=config.settings.production
WORKDIR /opt/turnstone

FROM base AS build
RUN python -m venv /opt/venv
COPY requirements.lock .
RUN pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.lock
COPY . .
RUN python tools/messages.py compile
# Settings refuse to be read without an environment; nothing of this one stays in the image.
RUN SECRET_KEY="$(python -c 'import secrets; print(secrets.token_urlsafe(64))')" \
    SITE_URL=https://build.invalid \
    DATABASE_URL=postgres://build.invalid/build \
    REDIS_URL=redis://build.invalid \
    EMAIL_URL=smtp://build.invalid \
    DEFAULT_FROM_EMAIL=build@build.invalid \
    python manage.py collectstatic --no-input \
    && python -m compileall -q /opt/venv /opt/turnstone

FROM base
RUN useradd --system --user-group --no-create-home --home-dir /nonexistent turnstone
COPY --from=build /opt/venv /opt/venv
COPY --from=build /opt/turnstone /opt/turnstone
USER turnstone
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s CMD \
    ["python", "-c", "import urllib.request as ask; ask.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["python", "-m", "config.server", "--bind", "0.0.0.0", "--port", "8000"]
