"""What can happen in a match, as events.

Pieces are written as in positions: ``["Q", x, y, angle]``. The trace that is kept beside a move
shows the tower of its ``place`` event: one body a piece, in the order of the tower, the new one
last.

| type | data | |
|---|---|---|
| ``place`` | ``piece``, ``at``, ``tilt``, ``tremor`` | the seat held a piece ``at`` so many mm over the axis, tilted by so many degrees; ``tremor`` is what the hand added to both |
| ``stand`` | ``total`` | the tower stands; the new total is on the sheet |
| ``fall`` | ``ms``, ``written``, ``total``, ``pieces`` | the tower fell, ``ms`` milliseconds after the piece was let go; was there time to write; what the sheet says now; the heap |
| ``bonus`` | ``total``, ``pieces`` | all pieces stand; the total with the bonus |
| ``incident`` | | the seat's tower was knocked over and rebuilt; its turn is lost |
| ``die`` | ``die``, ``piece`` | the die (null: not rolled, one size is left) gives the seat its next piece |
| ``round`` | ``round``, ``scores``, ``starter`` | the round is over; its scores by seat (null for who has left); who begins the next one (null: none follows) |
| ``leave`` | | the seat dropped out; its tower is taken away |

``turn`` and ``end`` are those of every game; ``end`` has ``sums`` too, the points of each seat.
"""  # noqa: E501

PLACE, STAND, FALL, BONUS = "place", "stand", "fall", "bonus"
INCIDENT, DIE, ROUND, LEAVE = "incident", "die", "round", "leave"
