"""Policy files that were in force: the newest one holds while the file itself cannot be used."""

from lyra.store.database import optional_text
from lyra.store.session import Session


class Policies:
    """The texts of policy files, each as it was first seen."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._database = session.database

    def last_good(self) -> str | None:
        """Return the text of the policy file that was last in force; None while there was none."""
        return optional_text(self._database.value("SELECT content FROM domain_policies ORDER BY policy_seq DESC LIMIT 1"))

    def keep(self, content: str) -> bool:
        """Keep a text that is in force now; returns whether it differs from the last one. One transaction."""
        if self.last_good() == content:
            return False
        with self._session.transaction():
            if self.last_good() == content:
                return False
            self._database.run("INSERT INTO domain_policies (content, seen_at) VALUES (?, ?)", (content, self._session.now()))
        return True
