"""The application of ratings."""

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    name = "games.ratings"
    label = "ratings"
    verbose_name = "Ratings"

    def ready(self) -> None:
        from accounts import personal_data  # noqa: PLC0415 - it imports models
        from games.lobby import strength  # noqa: PLC0415
        from games.matches import seat_ratings  # noqa: PLC0415
        from games.ratings import selectors, tasks  # noqa: F401, PLC0415 - imports models
        from games.ratings.personal_data import RatingsData  # noqa: PLC0415

        personal_data.register(RatingsData())
        strength.register(selectors.numbers)
        seat_ratings.register(selectors.of_seats)
