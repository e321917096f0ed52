"""All addresses of the pages."""

from django.contrib.sitemaps.views import sitemap
from django.urls import path
from django.views.decorators.http import require_safe
from django.views.generic import RedirectView

from games.http import converters  # noqa: F401 - registers <id:…>
from games.web import (
    abandoned,
    about,
    achievements,
    collections,
    feeds,
    imported,
    ladders,
    plans,
    ratings,
    reports,
    rules,
    settings,
    watching,
)
from games.web.clubs import leading as club_leading
from games.web.clubs import views as clubs
from games.web.desk import act
from games.web.desk import views as desk
from games.web.events import manage
from games.web.events import views as events
from games.web.lists import views as lists
from games.web.lobby import bots, declaring, finding, reveals
from games.web.lobby import views as lobby
from games.web.match import planning
from games.web.match import views as match
from games.web.noticeboards import views as noticeboards
from games.web.pages import featured
from games.web.pages import views as pages
from games.web.record import animation, comments, oembed, sharing, thumbnails
from games.web.record import views as record
from games.web.script_messages import messages_in
from games.web.statistics import views as statistics
from games.web.study import editor, embedding, lessons, play, puzzles, review, runs, saved, thinking
from games.web.study import views as study
from games.web.talk import views as talk
from games.web.teams import views as teams

PUZZLES = {"series": lessons.PUZZLES}

urlpatterns = [
    # Home, the games, and how the dice work
    path("", pages.home, name="home"),
    path("featured/<id:match_id>/", featured.featured, name="featured"),
    path("activity/", pages.activity_page, name="activity"),
    path("games/", pages.games, name="games"),
    path("games/<slug:slug>/", pages.game, name="game"),
    path("games/<slug:slug>/steps/", pages.game_steps, name="game-steps"),
    path("games/<slug:slug>/card.png", pages.game_card, name="game-card"),
    path("games/<slug:slug>/board-<slug:theme>.svg", pages.game_board, name="game-board"),
    path("dice/", pages.dice, name="dice"),
    # What the site says about itself
    path("help/", about.AboutPage.as_view(page="help"), name="help"),
    path("help/languages/", about.LanguagesPage.as_view(), name="help-languages"),
    path("contact/", about.AboutPage.as_view(page="contact"), name="contact"),
    path("privacy/", about.AboutPage.as_view(page="privacy"), name="privacy"),
    path("terms/", about.AboutPage.as_view(page="terms"), name="terms"),
    path("language/<slug:code>.<slug:digest>.js", messages_in, name="script-messages"),
    path("favicon.ico", about.favicon, name="favicon"),
    path("manifest.webmanifest", about.manifest, name="manifest"),
    path("robots.txt", about.robots, name="robots"),
    path("sitemap.xml", require_safe(sitemap), {"sitemaps": about.SITEMAPS}, name="sitemap"),
    path(".well-known/security.txt", about.security, name="security-txt"),
    path(
        ".well-known/change-password",
        RedirectView.as_view(pattern_name="account_change_password"),
        name="well-known-change-password",
    ),
    # Rules
    path("games/<slug:slug>/rules/", rules.game_rules, name="game-rules"),
    path("games/<slug:slug>/brief/", rules.game_brief, name="game-brief"),
    # Challenges and bots
    path("play/", bots.play_now, name="play-now"),
    path("account/bot/", declaring.declare_bot, name="declare-bot"),
    path("games/<slug:slug>/challenge/", lobby.challenge_new, name="challenge-new"),
    path("games/<slug:slug>/bots/", bots.play_bot, name="play-bot"),
    path("games/<slug:slug>/bots/<slug:level>/", bots.play_bot_at_once, name="play-bot-at-once"),
    path("matches/<id:match_id>/next-level/", bots.play_next_level, name="play-next-level"),
    path("lobby/find/", finding.find, name="find-opponent"),
    path("lobby/", lobby.lobby, name="lobby"),
    path("challenges/<int:pk>/", lobby.challenge, name="challenge"),
    path("challenges/<int:pk>/accept/", lobby.challenge_accept, name="challenge-accept"),
    path("challenges/<int:pk>/decline/", lobby.challenge_decline, name="challenge-decline"),
    path("challenges/<int:pk>/withdraw/", lobby.challenge_withdraw, name="challenge-withdraw"),
    path("challenges/reveals/", reveals.reveals, name="reveals"),
    path("challenges/<int:pk>/reveal/", reveals.reveal, name="challenge-reveal"),
    path("challenges/<int:pk>/<str:token>/", lobby.challenge, name="challenge-link"),
    # Lists of matches
    path("home/", lists.my_matches, name="my-matches"),
    path("home/next/", lists.next_match, name="next-match"),
    path("archive/", lists.archive, name="archive"),
    path("players/<str:name>/", lists.player, name="player"),
    # Statistics
    path("games/<slug:slug>/statistics/", statistics.game, name="game-statistics"),
    path("players/<str:name>/statistics/", statistics.player, name="player-statistics"),
    path("players/<str:name>/against/<str:other>/", statistics.head_to_head, name="head-to-head"),
    # Ratings
    path("games/<slug:slug>/ratings/", ratings.leaderboard, name="game-ratings"),
    path("games/<slug:slug>/ratings/card.png", ratings.leaderboard_card, name="ratings-card"),
    path("players/<str:name>/card.png", ratings.player_card, name="player-card"),
    path("players/<str:name>/ratings/", ratings.player, name="player-ratings"),
    path("account/ratings/", settings.listed, name="rating-settings"),
    # Achievements
    path("achievements/", achievements.of_site, name="achievements"),
    path("games/<slug:slug>/achievements/", achievements.of_game, name="game-achievements"),
    # Ladders
    path("games/<slug:slug>/ladder/", ladders.ladder, name="game-ladder"),
    path("games/<slug:slug>/ladder/card.png", ladders.ladder_card, name="ladder-card"),
    path("games/<slug:slug>/ladder/join/", ladders.join, name="ladder-join"),
    path("games/<slug:slug>/ladder/leave/", ladders.leave, name="ladder-leave"),
    path("games/<slug:slug>/ladder/challenge/", ladders.challenge, name="ladder-challenge"),
    # Tournaments
    path("events/", events.events, name="events"),
    path("events/new/<slug:slug>/", events.event_new, name="event-new"),
    path("events/<id:event_id>/", events.event, name="event"),
    path("events/<id:event_id>/join/", events.event_join, name="event-join"),
    path("events/<id:event_id>/wait/", events.event_wait, name="event-wait"),
    path("events/<id:event_id>/leave/", events.event_leave, name="event-leave"),
    path("events/<id:event_id>/cancel/", events.event_cancel, name="event-cancel"),
    path("events/<id:event_id>/edit/", manage.event_edit, name="event-edit"),
    path("events/<id:event_id>/manage/", manage.event_manage, name="event-manage"),
    path("events/<id:event_id>/manage/<slug:act>/", manage.event_act, name="event-act"),
    path("events/<id:event_id>/accept/", manage.event_accept, name="event-accept"),
    path("events/<id:event_id>/decline/", manage.event_decline, name="event-decline"),
    path("events/<id:event_id>/bye/", events.event_bye, name="event-bye"),
    path("events/<id:event_id>/crosstable.svg", events.event_crosstable, name="event-crosstable"),
    path("events/<id:event_id>/bracket.svg", events.event_bracket, name="event-bracket"),
    path("events/<id:event_id>/card.png", events.event_card, name="event-card"),
    path("events/<id:event_id>/calendar.ics", events.event_calendar, name="event-calendar"),
    # Clubs
    path("clubs/", clubs.clubs, name="clubs"),
    path("clubs/new/", clubs.club_new, name="club-new"),
    path("clubs/<id:club_id>/", clubs.club, name="club"),
    path("clubs/<id:club_id>/join/", clubs.club_join, name="club-join"),
    path("clubs/<id:club_id>/decline/", clubs.club_decline, name="club-decline"),
    path("clubs/<id:club_id>/leave/", clubs.club_leave, name="club-leave"),
    path("clubs/<id:club_id>/members/", clubs.club_members, name="club-members"),
    path("clubs/<id:club_id>/edit/", club_leading.club_edit, name="club-edit"),
    path("clubs/<id:club_id>/lead/", club_leading.club_lead, name="club-lead"),
    path("clubs/<id:club_id>/invite/", club_leading.club_invite, name="club-invite"),
    path("clubs/<id:club_id>/message/", club_leading.club_message, name="club-message"),
    path("clubs/<id:club_id>/close/", club_leading.club_close, name="club-close"),
    *(
        path(f"clubs/<id:club_id>/members/<str:name>/{part}", view, name=name)
        for name, part, view in (
            ("club-member", "", club_leading.club_member),
            ("club-appoint", "appoint/", club_leading.club_appoint),
            ("club-dismiss", "dismiss/", club_leading.club_dismiss),
            ("club-remove", "remove/", club_leading.club_remove),
            ("club-accept", "accept/", club_leading.club_accept),
            ("club-refuse", "refuse/", club_leading.club_refuse),
            ("club-withdraw", "withdraw/", club_leading.club_withdraw),
            ("club-readmit", "readmit/", club_leading.club_readmit),
        )
    ),
    *(
        path(f"clubs/<id:club_id>/ladders/<slug:slug>/{part}", view, name=f"club-ladder{name}")
        for name, part, view in (
            ("", "", ladders.ladder),
            ("-found", "found/", ladders.found),
            ("-join", "join/", ladders.join),
            ("-leave", "leave/", ladders.leave),
            ("-challenge", "challenge/", ladders.challenge),
            ("-close", "close/", ladders.close),
        )
    ),
    # Team matches
    path("team-matches/", teams.team_matches, name="team-matches"),
    path("team-matches/new/<slug:slug>/", teams.team_match_new, name="team-match-new"),
    path("team-matches/<id:team_match_id>/", teams.team_match, name="team-match"),
    path(
        "team-matches/<id:team_match_id>/line-up/<id:team>/",
        teams.team_match_line_up,
        name="team-match-line-up",
    ),
    path("team-matches/<id:team_match_id>/card.png", teams.team_match_card, name="team-match-card"),
    *(
        path(f"team-matches/<id:team_match_id>/{part}/", view, name=f"team-match-{part}")
        for part, view in (
            ("accept", teams.team_match_accept),
            ("decline", teams.team_match_decline),
            ("cancel", teams.team_match_cancel),
            ("sign-up", teams.team_match_sign_up),
            ("step-in", teams.team_match_step_in),
            ("leave", teams.team_match_leave),
            ("replace", teams.team_match_replace),
        )
    ),
    # Noticeboards
    path("clubs/<id:club_id>/noticeboard/", noticeboards.club_noticeboard, name="club-noticeboard"),
    path(
        "clubs/<id:club_id>/noticeboard/new/",
        noticeboards.club_noticeboard_new,
        name="club-noticeboard-new",
    ),
    path(
        "clubs/<id:club_id>/noticeboard/feed.atom",
        noticeboards.club_noticeboard_feed,
        name="club-noticeboard-feed",
    ),
    path("games/<slug:slug>/noticeboard/", noticeboards.game_noticeboard, name="game-noticeboard"),
    path(
        "games/<slug:slug>/noticeboard/new/",
        noticeboards.game_noticeboard_new,
        name="game-noticeboard-new",
    ),
    path(
        "games/<slug:slug>/noticeboard/feed.atom",
        noticeboards.game_noticeboard_feed,
        name="game-noticeboard-feed",
    ),
    path(
        "events/<id:event_id>/noticeboard/",
        noticeboards.event_noticeboard,
        name="event-noticeboard",
    ),
    path(
        "events/<id:event_id>/noticeboard/new/",
        noticeboards.event_noticeboard_new,
        name="event-noticeboard-new",
    ),
    path(
        "events/<id:event_id>/noticeboard/feed.atom",
        noticeboards.event_noticeboard_feed,
        name="event-noticeboard-feed",
    ),
    path("topics/<id:topic_id>/", noticeboards.topic, name="topic"),
    path("topics/<id:topic_id>/news/<id:post_id>/", noticeboards.topic_news, name="topic-news"),
    path("topics/<id:topic_id>/follow/", noticeboards.topic_follow, name="topic-follow"),
    path("posts/<id:post_id>/", noticeboards.post, name="post"),
    path("posts/<id:post_id>/edit/", noticeboards.post_edit, name="post-edit"),
    # Reports
    path("report/<slug:name>/<id:subject_id>/", reports.report, name="report"),
    path("report/<slug:name>/<id:subject_id>/now/", reports.report_now, name="report-now"),
    # Bookmarks
    path("collections/", collections.collections, name="collections"),
    path("collections/<id:collection_id>/", collections.collection, name="collection"),
    path("collections/<id:collection_id>/change/", collections.change, name="collection-change"),
    path("collections/<id:collection_id>/delete/", collections.delete, name="collection-delete"),
    path(
        "collections/<id:collection_id>/<id:bookmark_id>/",
        collections.arrange,
        name="collection-arrange",
    ),
    path(
        "matches/<id:match_id>/<int:number>/bookmark/",
        collections.bookmark_match,
        name="match-bookmark",
    ),
    path(
        "imported/<id:record_id>/<int:number>/bookmark/",
        collections.bookmark_imported,
        name="imported-bookmark",
    ),
    # Feeds, and pictures of links for other sites
    path("oembed/", oembed.oembed, name="oembed"),
    path("account/feeds/<str:token>/deadlines.ics", feeds.deadlines, name="feed-deadlines"),
    path("activity/feed.atom", feeds.activity_feed, name="activity-feed"),
    path("events/feed.atom", feeds.tournament_feed, name="events-feed"),
    path("games/<slug:slug>/ladder/feed.atom", feeds.ladder_feed, name="ladder-feed"),
    # Imported records
    path("imported/", imported.records, name="imported-records"),
    path("imported/<id:record_id>/delete/", imported.delete, name="imported-delete"),
    path("imported/<id:record_id>/export.json", imported.export_json, name="imported-export"),
    path("imported/<id:record_id>/export.txt", imported.export_text, name="imported-text"),
    path("imported/<id:record_id>/<int:number>/", imported.imported, name="imported"),
    path(
        "imported/<id:record_id>/<int:number>/board.<str:kind>",
        imported.board,
        name="imported-board",
    ),
    # Abandoned seats
    path("abandoned/<id:pk>/", abandoned.abandoned, name="abandoned"),
    path("substitute/<id:pk>/", abandoned.substitute, name="substitute"),
    # Settings
    path("account/preferences/", settings.preferences, name="preferences"),
    path("account/people/", settings.people, name="people"),
    path("account/playing/", settings.playing, name="playing"),
    path("account/chat/", settings.chat, name="chat-settings"),
    path("account/following/", settings.following, name="following"),
    path("account/following/<str:name>/", settings.follow, name="follow"),
    path("account/blocks/", settings.blocks, name="blocks"),
    # The moderators' desk
    path("desk/", desk.queue, name="desk"),
    path("desk/open/", act.open_case, name="desk-open"),
    path("desk/log/", desk.action_log, name="desk-log"),
    path("desk/acts/", desk.act_log, name="desk-acts"),
    path("desk/posts/<id:post_id>/", act.waiting_post, name="desk-post"),
    path("desk/cases/<id:case_id>/", desk.case, name="desk-case"),
    path("desk/cases/<id:case_id>/claim/", act.claim, name="desk-claim"),
    path("desk/cases/<id:case_id>/release/", act.release, name="desk-release"),
    path("desk/cases/<id:case_id>/note/", act.note, name="desk-note"),
    path("desk/cases/<id:case_id>/close/", act.close, name="desk-close"),
    path("desk/cases/<id:case_id>/act/", act.act, name="desk-act"),
    path("desk/cases/<id:case_id>/unlock/", act.unlock, name="desk-unlock"),
    path("desk/sanctions/<id:sanction_id>/", desk.sanction, name="desk-sanction"),
    path("desk/sanctions/<id:sanction_id>/lift/", act.lift, name="desk-lift"),
    path("desk/sanctions/<id:sanction_id>/answer/", act.answer, name="desk-answer"),
    # Vacations
    path("account/vacation/", settings.vacation, name="vacation"),
    path("account/vacation/end/", settings.end_vacation, name="vacation-end"),
    path("account/vacation/automatic/", settings.automatic_vacation, name="vacation-automatic"),
    # Watching
    path("watching/", watching.watching, name="watching"),
    path("matches/<id:match_id>/watch/", watching.change, name="match-watch"),
    # Plans and standing orders
    path("plans/", plans.plans, name="plans"),
    path("plans/<id:match_id>/end/", plans.end, name="plans-end"),
    path("plans/challenges/<int:pk>/", plans.change, name="standing-challenge"),
    # Boards, lessons, puzzles and reviews
    path("games/<slug:slug>/board/", study.begin, name="board-begin"),
    path("games/<slug:slug>/board/new/", study.new, name="board-new"),
    path("games/<slug:slug>/board/<slug:packed>/<int:number>/", study.board, name="board"),
    path(
        "games/<slug:slug>/board/<slug:packed>/<int:number>/edit/", editor.edit, name="board-edit"
    ),
    path(
        "games/<slug:slug>/board/<slug:packed>/<int:number>/board.svg",
        embedding.packed_picture,
        name="board-picture",
    ),
    path("games/<slug:slug>/board/<slug:packed>/<int:number>/save/", saved.save, name="board-save"),
    path("matches/<id:match_id>/board/", thinking.begin, name="match-board-begin"),
    path("matches/<id:match_id>/board/<int:number>/", thinking.board, name="match-board"),
    path("games/<slug:slug>/lessons/", lessons.index, name="lessons"),
    path("games/<slug:slug>/lessons/<int:number>/", lessons.lesson, name="lesson"),
    path(
        "games/<slug:slug>/lessons/<int:number>/<slug:tried>/", lessons.lesson, name="lesson-tried"
    ),
    path(
        "games/<slug:slug>/lessons/<int:number>/board-<slug:theme>.svg",
        lessons.picture,
        name="lesson-board",
    ),
    path("games/<slug:slug>/puzzles/", puzzles.index, name="puzzles"),
    path("games/<slug:slug>/puzzles/<int:number>/", lessons.lesson, PUZZLES, name="puzzle"),
    path(
        "games/<slug:slug>/puzzles/<int:number>/<slug:tried>/",
        lessons.lesson,
        PUZZLES,
        name="puzzle-tried",
    ),
    path(
        "games/<slug:slug>/puzzles/<int:number>/board-<slug:theme>.svg",
        lessons.picture,
        PUZZLES,
        name="puzzle-board",
    ),
    path(
        "games/<slug:slug>/puzzles/<int:number>/solution/<int:step>/",
        puzzles.solution,
        name="puzzle-solution",
    ),
    path("games/<slug:slug>/puzzles/runs/", runs.index, name="puzzle-runs"),
    path("games/<slug:slug>/puzzles/runs/<id:run_id>/<int:at>/", runs.run, name="puzzle-run"),
    path("matches/<id:match_id>/<int:number>/try/", study.from_match, name="match-try"),
    path("imported/<id:record_id>/<int:number>/try/", study.from_import, name="imported-try"),
    path("matches/<id:match_id>/review/", review.of_match, name="match-review"),
    path(
        "matches/<id:match_id>/review/<int:number>/board/",
        review.board_of_match,
        name="match-review-board",
    ),
    path("imported/<id:record_id>/review/", review.of_import, name="imported-review"),
    path(
        "imported/<id:record_id>/review/<int:number>/board/",
        review.board_of_import,
        name="imported-review-board",
    ),
    path("games/<slug:slug>/play/", play.begin, name="play-begin"),
    path("play/<slug:key>/", play.cover, name="play"),
    path("play/<slug:key>/<int:number>/", play.turn, name="play-turn"),
    path("boards/", saved.studies, name="studies"),
    path("boards/<slug:key>/<int:number>/", saved.study, name="study"),
    path("boards/<slug:key>/<int:number>/board.svg", embedding.saved_picture, name="study-picture"),
    path("boards/<slug:key>/change/", saved.change, name="study-change"),
    path("boards/<slug:key>/copy/", saved.copy, name="study-copy"),
    path("boards/<slug:key>/delete/", saved.delete, name="study-delete"),
    path("boards/<slug:key>/export.json", saved.export_json, name="study-json"),
    path("boards/<slug:key>/export.txt", saved.export_text, name="study-text"),
    # Chat and notes
    path("matches/<id:match_id>/chat/", talk.chat, name="chat"),
    path("matches/<id:match_id>/chat/read/", talk.read, name="chat-read"),
    path("matches/<id:match_id>/chat/mute/", talk.mute, name="chat-mute"),
    path("matches/<id:match_id>/note/", talk.note, name="match-note"),
    path("account/chat/unmute/<str:name>/", talk.unmute, name="chat-unmute"),
    # A match and its changes
    path("matches/<id:match_id>/", match.match, name="match"),
    path("matches/<id:match_id>/moves/", match.move, name="match-move"),
    path("matches/<id:match_id>/resign/", match.resign, name="match-resign"),
    path("matches/<id:match_id>/offer/", match.offer, name="match-offer"),
    path("matches/<id:match_id>/pause/", match.pause, name="match-pause"),
    path("matches/<id:match_id>/give-time/", match.give_time, name="match-give-time"),
    path("matches/<id:match_id>/end-pause/", match.end_pause, name="match-end-pause"),
    path("matches/<id:match_id>/offer-cancel/", match.offer_cancel, name="match-offer-cancel"),
    path(
        "matches/<id:match_id>/offer-take-back/",
        match.offer_take_back,
        name="match-offer-take-back",
    ),
    path("matches/<id:match_id>/accept/", match.accept, name="match-accept"),
    path("matches/<id:match_id>/decline/", match.decline, name="match-decline"),
    path("matches/<id:match_id>/take-back/", match.take_back, name="match-take-back"),
    path("matches/<id:match_id>/cancel/", match.cancel, name="match-cancel"),
    path("matches/<id:match_id>/order/", match.order, name="match-order"),
    path("matches/<id:match_id>/plan/", planning.plan, name="match-plan"),
    path("matches/<id:match_id>/queue/", match.queue, name="match-queue"),
    path("matches/<id:match_id>/lines/", match.lines, name="match-lines"),
    path("matches/<id:match_id>/mute/", match.mute, name="match-mute"),
    path("matches/<id:match_id>/rematch/", match.rematch, name="match-rematch"),
    # The record of a match
    path("matches/<id:match_id>/export.json", record.export_json, name="match-export"),
    path("matches/<id:match_id>/export.txt", record.export_text, name="match-text"),
    path("matches/<id:match_id>/<int:number>/", record.match_at, name="match-at"),
    path("matches/<id:match_id>/<int:number>/board.<str:kind>", record.board, name="match-board"),
    path(
        "matches/<id:match_id>/<id:version>/thumbnail-<slug:theme>.<slug:digest>.svg",
        thumbnails.thumbnail,
        name="match-thumbnail",
    ),
    path("matches/<id:match_id>/animations/", animation.ask, name="animation-ask"),
    path("matches/<id:match_id>/animations/<id:animation_id>/", animation.page, name="animation"),
    path(
        "matches/<id:match_id>/animations/<id:animation_id>/match.gif",
        animation.picture,
        name="animation-picture",
    ),
    path("matches/<id:match_id>/<int:number>/comments/", comments.comment, name="match-comment"),
    path("matches/<id:match_id>/<int:number>/share/", sharing.share, name="match-share"),
    path("matches/<id:match_id>/<int:number>/card.png", sharing.card, name="match-card"),
    path("matches/<id:match_id>/<int:number>/embed/", sharing.embed, name="match-embed"),
    path("matches/<id:match_id>/<int:number>/trace.json", record.trace, name="match-trace"),
]
