"""`lyra library purge`: stored page contents go, judgements and quotes stay."""

from typing import Annotated

import typer

from lyra.app import SystemClock, forget_answers, open_reading_store
from lyra.core.errors import EXIT_OK
from lyra.interfaces.cli.invocation import Invocation
from lyra.interfaces.cli.output import write_json, write_text
from lyra.interfaces.presenter import document


def purge(
    call: Invocation,
    *,
    older_than: Annotated[str | None, typer.Option("--older-than", metavar="DAYS", help="help.library_purge_older")] = None,
    domain: Annotated[str | None, typer.Option("--domain", metavar="HOST", help="help.library_purge_domain")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="help.library_purge_dry_run")] = False,
) -> int:
    """Remove stored page contents by age or domain."""
    from lyra.workflows.purge import PurgeRequest, read_days, read_domain  # noqa: PLC0415 - help needs none of this
    from lyra.workflows.purge import purge as run_purge  # noqa: PLC0415 - as above

    days = None if older_than is None else read_days(older_than)
    host = None if domain is None else read_domain(domain)
    with open_reading_store(call.settings) as store:
        purged = run_purge(store, PurgeRequest(days, host, dry_run), SystemClock().now())
    if not dry_run:
        forget_answers(call.settings)  # they hold the same texts, as they were sent
    if call.as_json:
        shown = {
            "page_versions": purged.page_versions,
            "characters": purged.characters,
            "fragments": purged.fragments,
            "quotes_kept": purged.quotes_kept,
            "library_entries": purged.library_entries,
        }
        write_json(document(older_than_days=days, domain=host, dry_run=dry_run, purged=shown))
        return EXIT_OK
    if not purged.page_versions:
        write_text(call.say("text.purge_nothing"))
        return EXIT_OK
    write_text(
        call.say(
            "text.purge_would" if dry_run else "text.purge_done",
            versions=purged.page_versions,
            characters=purged.characters,
            fragments=purged.fragments,
            quotes=purged.quotes_kept,
        )
    )
    if not dry_run:
        write_text(call.say("text.purge_backups"))
    return EXIT_OK
