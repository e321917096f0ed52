"""Players who answer mails about their matches: with a move, without one, too late, or twice.

The address is read from the sent mail, and an answer takes the same path as after the SMTP server:
its recipient is checked, then the mail is received.
"""

from collections import defaultdict
from datetime import timedelta

from bench.year.visits import Person
from bench.year.world import REPLIES, Posted
from games.kernel.contract import Seat
from games.mail import replies
from games.mail.replies import ReplyRefused, SmtpReply
from games.matches import selectors
from games.matches.notify import reply_addresses
from games.matches.notify.reply_addresses import ReplyAddress

NONSENSE = "Nice move. I have to think about this one!"
TALKS, TAKES_THE_EXAMPLE, COMES_TWICE = 0.05, 0.5, 0.1
"""Probabilities: writing no move, copying the mail's example, a relay delivering a mail twice."""

WAIT = (5, 20 * 60)
"""Minimum and maximum minutes until a mail is answered."""

MAIL = """\
Authentication-Results: {authserv}; dkim=pass header.d=example.org\r
From: {sender}\r
To: {to}\r
Subject: Re: Your turn\r
Content-Type: text/plain; charset=utf-8\r
Content-Transfer-Encoding: 8bit\r
\r
{line}\r
\r
On Monday Turnstone wrote:\r
> It is your turn.\r
"""


class Correspondent:
    """A player who answers some mails. No two moves are sent to one address."""

    def __init__(self, person: Person) -> None:
        self.person, self.chance, self.world = person, person.chance, person.world
        self._written: defaultdict[str, set[str]] = defaultdict(set)
        self.world.inboxes[person.user.email] = self.read

    def read(self, mail: Posted) -> None:
        """Answer a mail later, if it can be answered and the player wants to."""
        if mail.reply_to and self.chance.random() < self.person.habits.by_mail:
            later = self.world.now + timedelta(minutes=self.chance.randint(*WAIT))
            at = self.person.habits.awake(later, self.chance)
            self.world.plan(at, lambda: self._answer(mail))

    def _answer(self, mail: Posted) -> bool:
        written = self._written[mail.reply_to]
        if self.person.is_away or written - {NONSENSE}:
            return False
        to = reply_addresses.read(mail.reply_to, now=self.world.now)
        line = self._line(mail, to, may_talk=not written)
        written.add(line)
        for _ in range(2 if self.chance.random() < COMES_TWICE else 1):
            said = self._deliver(mail, line)
            self.world.done["answers by mail"] += 1
            if said != SmtpReply.TAKEN:
                self.world.troubles.append(f"{line} by mail to match {to.match_id}: {said}")
        told = (to.user_id, f"move-answered {to.version}", to.match_id)
        self.person.diary.told.append(told)
        return True

    def _line(self, mail: Posted, to: ReplyAddress, *, may_talk: bool) -> str:
        """Return the move of the mail's example, another possible one, or no move."""
        if may_talk and self.chance.random() < TALKS:
            return NONSENSE
        snapshot, seat = selectors.snapshot(to.match_id), Seat(to.seat)
        if seat not in snapshot.actors or self.chance.random() < TAKES_THE_EXAMPLE:
            return mail.example
        return self.person.a_move(snapshot, seat)

    def _deliver(self, mail: Posted, line: str) -> SmtpReply:
        """Deliver a mail with this line, and return the SMTP server's reply."""
        now, to = self.world.now, mail.reply_to
        content = MAIL.format(
            authserv=REPLIES["REPLY_AUTHSERV"], sender=mail.to, to=to, line=line
        ).encode()
        try:
            replies.recipient(to, now=now)
        except ReplyRefused as refused:
            return refused.said
        return replies.receive(content, mail.to, to, now=now)
