# Turnstone. `make` alone lists what can be done; all it needs is make and Python 3.11 or newer.

# The pairs who play meanwhile, as in `make faults PAIRS=20`.
PAIRS ?= 4
# The port of `make run`, as in `make run PORT=8001`.
PORT ?= 8000
# The first of these that is new enough makes the virtual environment.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; \
	done)

VENV := .venv
BIN := $(VENV)/bin
MANAGE := DJANGO_SETTINGS_MODULE=config.settings.local $(BIN)/python manage.py
# What works on this machine alone, whatever servers the environment names.
ALONE := env -u DATABASE_URL -u REDIS_URL
# What draws the spots in which rules are altered to test the tests.
COMMIT = $(shell git rev-parse HEAD 2>/dev/null)
WORKERS := --numprocesses 2 --dist loadgroup
# Services, sockets and permissions, on PostgreSQL with its races. `make test` runs all but LATER.
SITE := tests/flow tests/live tests/test_permissions.py
# What groups of people do together. `make test` runs the files of races, `make more` all else.
TOGETHER := tests/clubs tests/teams tests/events tests/noticeboards
RACES_TOGETHER := $(wildcard $(addsuffix /test_*_races.py,$(TOGETHER)))
# Pages and programs call those services. `make test` runs what is about accounts, secrets and a match,
# and each page once; `make more` runs all other files, so each new one, too.
INTERFACES := tests/web tests/api
FIRST_PAGES := $(addprefix tests/web/test_,accounts_passwords.py accounts_races.py accounts_register.py \
	accounts_rights.py accounts_sessions.py accounts_signin.py blocks.py equal_weight.py guests_races.py limits_everywhere.py \
	match_addresses.py match_page.py match_record.py own_data.py pages.py private_pages.py private_plans.py \
	second_factor.py shut_out.py texts.py valid_html.py) $(addprefix tests/api/test_,api.py tokens.py)
# What no match waits for: study, statistics, ratings, bots, other languages, how mails and pushes travel, and what
# takes a hundred tries of one kind.
LATER := tests/live/test_languages.py $(addprefix tests/flow/test_,achievements.py bot_opponents.py bots.py delivery.py \
	dice_is_health.py error_reports.py every_change.py explorer.py find_puzzles.py ladders.py long_matches.py \
	mail_delivery.py mail_reading.py mail_server.py moves_by_mail.py outbox.py outgoing_mails.py push.py puzzles.py \
	ratings.py reviews.py seat_ratings.py statistics.py verify.py web_push.py)
# What a game brings besides its rules: bots, achievements, and what people study. Whether each page comes from a
# catalogue, and whether a leak would be found.
EXTRAS := tests/test_pseudo_pages.py $(addprefix tests/contract/test_,every_achievement.py every_bot.py every_editor.py \
	every_image.py every_lesson.py every_puzzle.py every_random_move.py every_review.py leaks.py solving.py)
# Rules, and what else needs no server.
OTHERS := $(filter-out $(EXTRAS) $(SITE) $(TOGETHER) $(INTERFACES) tests/browser tests/deployment tests/__pycache__,\
	$(patsubst %/,%,$(wildcard tests/*/)) $(wildcard tests/test_*.py)) games/titles \
	$(addprefix tests/flow/test_,match.py store_reading.py store_writing.py)
# `make more` runs these, on SQLite: whole processes, every address of the API sent anything at all, the pages that a
# library brings, the samples of `make run`, and the games that people install.
PROCESSES := tests/deployment tests/api/test_schema.py tests/flow/test_demo.py tests/kernel/test_tutorial.py \
	tests/web/test_allauth_pages.py
# Other files with tests of servers: pytest takes ten seconds to find them among all others.
OF_SERVERS = $(sort $(filter-out $(addsuffix /%,$(SITE) $(TOGETHER) $(INTERFACES)),\
	$(shell grep --recursive --files-with-matches --include='test_*.py' postgres tests games accounts)))
# In a browser: each page once, a whole match, and a turn of every game. `make more` runs the other files.
FIRST_BROWSED := $(addprefix tests/browser/test_,pages.py match.py still_board.py)
# The life of a match, and of each interface one file: who works on something else runs its file.
QUICK := tests/kernel tests/contract tests/test_source.py tests/test_scripts.py games/titles \
	$(addprefix tests/flow/test_,match.py challenges.py clock.py closing.py conditional.py dropping_out.py \
	first_move.py many_players.py offers.py pauses.py queue.py standing_orders.py submissions.py time_given.py) \
	$(addprefix tests/web/test_,pages.py match_page.py valid_html.py) tests/api/test_api.py tests/live/test_live.py
BESIDE_EACH_OTHER = $(MAKE) --no-print-directory --jobs 2 \
	$(if $(filter output-sync,$(.FEATURES)),--output-sync) BESIDE=1
IN_A_BROWSER = $(ALONE) $(BIN)/pytest -m "browser and not postgres and not thorough" --numprocesses 2 --dist worksteal
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes
LOCK := $(BIN)/pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras --no-header \
	--no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options

# Tests start Python hundreds of times: what is compiled once is kept, whatever the environment says.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run admin test more quick thorough mutants faults bench messages lock lint types layers migrations checks \
	first-tests test-browser test-core test-site test-rules more-tests test-waiting test-servers test-other-browser \
	test-other-core test-other-site test-extras test-mutants thorough-tests
# One after the other, except what is run in parallel on purpose.
ifndef BESIDE
.NOTPARALLEL:
endif

help: ## list these commands
	@echo "make what? (a first start of any takes a minute or two, to install what it needs)"
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|' 2>/dev/null \
		|| sed -nE 's/^([a-z-]+):.*## (.*)/  make \1	\2/p' $(MAKEFILE_LIST)

run: $(VENV)/catalogues.stamp ## serve the site on this machine (PORT=8000)
	@PORT=$(PORT) $(MANAGE) serve

admin: $(VENV)/runtime.stamp ## make somebody the admin of the site on this machine
	@$(MANAGE) migrate --verbosity 0
	@$(MANAGE) createsuperuser

quick: $(VENV)/dev.stamp checks ## checks and fast tests, mostly of rules and services, for while you work (half a minute)
	$(ALONE) $(BIN)/pytest -m "not postgres and not browser and not slow and not thorough" $(WORKERS) $(QUICK)

test: $(VENV)/dev.stamp ## checks, tests of rules, services, permissions and the main pages, and a browser (8 minutes)
	@$(BIN)/python tools/services.py $(MAKE) --no-print-directory first-tests

more: $(VENV)/dev.stamp ## what else every commit must pass: all other pages, the API, servers, a few mutants (25 minutes)
	@$(BIN)/python tools/services.py $(MAKE) --no-print-directory more-tests

thorough: $(VENV)/dev.stamp ## the long tests that `make more` leaves out, and `make mutants` (hours)
	@$(BIN)/python tools/services.py $(MAKE) --no-print-directory thorough-tests mutants

mutants: $(VENV)/dev.stamp ## alter the rules in many spots, and see whether tests notice (20 minutes at most)
	@$(BIN)/python tools/mutants.py --seed "$(COMMIT)"

faults: $(VENV)/dev.stamp ## break a whole site under load in every way, and print what came of it (PAIRS=4, 30 minutes)
	@PAIRS=$(PAIRS) $(BIN)/python tools/services.py $(BIN)/pytest -m thorough tests/faults

bench: $(VENV)/dev.stamp ## measure, and print a table
	@$(BIN)/python tools/services.py $(BIN)/python -m bench

messages: $(VENV)/runtime.stamp ## collect the messages of the site for translators, and compile theirs
	@$(BIN)/python tools/messages.py extract
	@$(BIN)/python tools/messages.py compile

lock: $(VENV)/dev.stamp ## write the lock files from pyproject.toml (UPGRADE=--upgrade for newer releases)
	@$(LOCK) $(UPGRADE) --output-file requirements.lock pyproject.toml
	@$(LOCK) $(UPGRADE) --extra dev --constraint requirements.lock \
		--output-file requirements-dev.lock pyproject.toml

# Tests with servers and browsers mostly wait. All else runs meanwhile, at a lower priority, because
# they measure how fast servers stop and how long pages take.
first-tests: $(VENV)/dev.stamp
	+@$(BESIDE_EACH_OTHER) test-browser test-core

test-core: $(VENV)/dev.stamp
	@nice $(MAKE) --no-print-directory BESIDE= checks test-site test-rules

more-tests: $(VENV)/dev.stamp
	+@$(BESIDE_EACH_OTHER) test-waiting test-other-core

test-waiting: $(VENV)/dev.stamp
	@$(MAKE) --no-print-directory BESIDE= test-servers test-other-browser

test-other-core: $(VENV)/dev.stamp
	@nice $(MAKE) --no-print-directory BESIDE= test-other-site test-extras test-mutants

# Types take one core for most of the time that all of these take.
checks: $(VENV)/dev.stamp
	+@$(BESIDE_EACH_OTHER) types lint layers migrations

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/oxlint --deny-warnings static games/titles tests/scripts

types: $(VENV)/dev.stamp
	DENO_DIR=.deno_cache DENO_NO_UPDATE_CHECK=1 $(BIN)/deno check --quiet --no-remote --no-npm --config tools/deno.json static games/titles
	$(ALONE) $(BIN)/mypy

layers: $(VENV)/dev.stamp
	$(BIN)/lint-imports --no-logo

migrations: $(VENV)/dev.stamp
	$(ALONE) $(BIN)/python manage.py makemigrations --check --dry-run --settings config.settings.test

test-site: $(VENV)/dev.stamp
	$(BIN)/pytest -m "not browser and not thorough" $(WORKERS) $(SITE) $(RACES_TOGETHER) $(FIRST_PAGES) $(addprefix --ignore=,$(LATER) $(PROCESSES))

test-rules: $(VENV)/dev.stamp
	$(ALONE) $(BIN)/pytest -m "not postgres and not browser and not thorough" $(WORKERS) $(OTHERS) $(addprefix --ignore=,$(EXTRAS) $(PROCESSES))

test-other-site: $(VENV)/dev.stamp
	$(BIN)/pytest -m "not browser and not thorough" $(WORKERS) $(INTERFACES) $(TOGETHER) $(LATER) \
		$(addprefix --ignore=,$(FIRST_PAGES) $(RACES_TOGETHER) $(PROCESSES))

test-extras: $(VENV)/dev.stamp
	$(ALONE) $(BIN)/pytest -m "not postgres and not browser and not thorough" $(WORKERS) $(EXTRAS)

# One or two of ten alterations may change no behaviour, and be listed nowhere yet.
test-mutants: $(VENV)/dev.stamp
	$(BIN)/python tools/mutants.py --spots 10 --least 70 --seed "$(COMMIT)"

test-servers: $(VENV)/dev.stamp
	$(BIN)/pytest -m "postgres and not thorough" $(OF_SERVERS)
	$(ALONE) $(BIN)/pytest -m "not postgres and not thorough" $(WORKERS) $(PROCESSES)

# Each worker has a site and a Chromium of its own. One that has finished takes tests from the other.
test-browser: $(VENV)/dev.stamp
	$(IN_A_BROWSER) $(FIRST_BROWSED)

test-other-browser: $(VENV)/dev.stamp
	$(IN_A_BROWSER) tests/browser $(addprefix --ignore=,$(FIRST_BROWSED))

# One at a time: some of them measure how long something takes.
thorough-tests: $(VENV)/dev.stamp
	$(BIN)/pytest -m "thorough and (postgres or browser)"
	$(BIN)/pytest -m "thorough and not postgres and not browser" $(SITE) $(TOGETHER) $(INTERFACES)
	$(ALONE) $(BIN)/pytest -m "thorough and not postgres and not browser" $(OTHERS) $(EXTRAS) tests/deployment

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Turnstone needs Python 3.11 or newer, and there is none here."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Turnstone needs Python 3.11 or newer; $(PYTHON) is `$(PYTHON) --version`."; exit 1; }
	@echo "Making a virtual environment in $(VENV) …"
	@$(PYTHON) -m venv --clear $(VENV) || { rm -rf $(VENV); \
		echo "Python's venv module does not work; on Debian: apt install python3-venv"; exit 1; }

$(VENV)/runtime.stamp: requirements.lock | $(BIN)/python
	@echo "Installing what the site needs …"
	@$(PIP) --requirement requirements.lock
	@touch $@

$(VENV)/catalogues.stamp: $(wildcard locale/*/LC_MESSAGES/*.po games/titles/*/locale/*/LC_MESSAGES/*.po) \
		$(VENV)/runtime.stamp
	@$(BIN)/python tools/messages.py compile
	@touch $@

$(VENV)/dev.stamp: requirements-dev.lock $(VENV)/catalogues.stamp
	@echo "Installing what the tests need …"
	@$(PIP) --requirement requirements-dev.lock
	@touch $@
