"""Views of the games that exist for tests only."""

from typing import Any

from games.kernel.views import Json, View


class DictView(View, frozen=True):
    """A view that is a JSON object: the games of the tests have no need to declare theirs."""

    data: dict[str, Json]

    def __getitem__(self, name: str) -> Json:
        return self.data[name]

    def get(self, name: str, default: Json = None) -> Json:
        """Return a field, or ``default`` where there is none."""
        return self.data.get(name, default)

    def keys(self) -> Any:
        """Return the names of the fields."""
        return self.data.keys()

    def dump(self) -> dict[str, Json]:
        """Return the view as a JSON object."""
        return self.data
