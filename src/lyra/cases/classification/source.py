"""What the address of a source tells: its role, its primary type and whose interest it has (decision tables D1 and D2)."""

from collections.abc import Sequence
from dataclasses import dataclass

from lyra.cases.classification import hosts
from lyra.cases.classification.address import Address, is_listing, look_through, parse_address
from lyra.cases.classification.flow import Answer, Walk, charts, walk
from lyra.cases.classification.hosts import Hosts, PartyDomain, party_domain, search_shape, shipped_hosts, transfer_shape
from lyra.cases.model import Access, ClaimType, CoiStatus, Party, PrimaryType, SourceRole

YES, NO = "yes", "no"
_REGISTERS = {
    hosts.GAZETTE: PrimaryType.GOVERNMENT_GAZETTE,
    hosts.COURT: PrimaryType.COURT_DOCUMENT,
    hosts.FILING: PrimaryType.IR_FILING,
    hosts.LAWS: PrimaryType.GOVERNMENT_GAZETTE,
}
_SECONDARY = (hosts.PRESS, hosts.RESEARCH, hosts.RESEARCH_ENDING, hosts.GOVERNMENT_ENDING)
# Publishers whose own interest in a case is none, unless they are a party of it.
_OUTSIDERS = (*_SECONDARY, hosts.GAZETTE, hosts.COURT, hosts.LAWS, hosts.ENCYCLOPAEDIA)
_PAGE_TYPES = {
    "annual_report": PrimaryType.ANNUAL_REPORT,
    "official_press": PrimaryType.OFFICIAL_PRESS,
    "ir_filing": PrimaryType.IR_FILING,
    "official_news": PrimaryType.OFFICIAL_PRESS,
}


@dataclass(frozen=True, slots=True)
class Interest:
    """The parties of a case by their domains: those the case is about, and those related to them."""

    subjects: tuple[PartyDomain, ...]
    affiliated: tuple[PartyDomain, ...]


@dataclass(frozen=True, slots=True)
class ClassifiedSource:
    """What was found of one source. `read_url` is the page itself where the address is a copy of it."""

    url: str
    read_url: str
    role: Walk
    coi: Walk
    primary_type: PrimaryType | None
    access: Access | None

    @property
    def source_role(self) -> SourceRole:
        """The role."""
        return SourceRole(self.role.label)

    @property
    def coi_status(self) -> CoiStatus:
        """The conflict of interest."""
        return CoiStatus(self.coi.label)


def interest_of(parties: Sequence[Party]) -> Interest:
    """Return the parties' domains. A party with a relation is affiliated, one without is what the case is about."""
    subjects: list[PartyDomain] = []
    affiliated: list[PartyDomain] = []
    for party in parties:
        for declared in party.domains:
            text = declared if "://" in declared else f"https://{declared.strip()}"
            found = party_domain(parse_address(text))
            if found is not None:
                (affiliated if party.relations else subjects).append(found)
    return Interest(tuple(subjects), tuple(affiliated))


def classify_source(url: str, interest: Interest, claim_types: Sequence[ClaimType] = ()) -> ClassifiedSource:
    """Classify a source by its address. `claim_types` are those of the claims that rest on it, as far as known."""
    facts = _Facts(url, interest, claim_types)
    role = walk(charts()["source_role"], facts.answer_role)
    coi = walk(charts()["coi_status"], facts.answer_coi)
    access = Access.ARCHIVED if facts.archives and role.label != SourceRole.REJECTED else None
    primary = facts.primary_type() if role.label == SourceRole.PRIMARY else None
    return ClassifiedSource(url, facts.page.url if facts.page else url.strip(), role, coi, primary, access)


class _Facts:
    """All that the address of one source tells."""

    def __init__(self, url: str, interest: Interest, claim_types: Sequence[ClaimType]) -> None:
        self._hosts: Hosts = shipped_hosts()
        self._given = parse_address(url)
        self.page: Address | None = self._given
        self.archives: tuple[str, ...] = ()
        if self._given is not None:
            self.page, self.archives = look_through(self._given, lambda one: self._hosts.fits(hosts.ARCHIVE, one))
        self._publisher = self._hosts.publisher(self.page) if self.page else None
        self._subject = self._party(interest.subjects)
        self._affiliated = self._party(interest.affiliated)
        self._claim_types = claim_types

    def _party(self, domains: Sequence[PartyDomain]) -> str | None:
        if self.page is None:
            return None
        return next(("/".join([one.host, *one.path]) for one in domains if one.fits(self.page)), None)

    def answer_role(self, question: str) -> Answer:
        """Answer one question of the chart on roles."""
        answers = {
            "web_address": self._is_web_address,
            "archived_copy": self._is_archived_copy,
            "search_or_cache": self._is_search_or_cache,
            "transfer": self._is_transfer,
            "issued_by_party": self._is_issued_by_party,
            "official_register": self._is_register,
            "press_or_research": self._is_press_or_research,
            "encyclopaedia": self._is_encyclopaedia,
            "claims_facts": self._claims_facts,
        }
        return answers[question]()

    def _is_web_address(self) -> Answer:
        return Answer(YES, "parsed", self._given.host) if self._given else Answer(NO, "not_a_web_address")

    def _is_archived_copy(self) -> Answer:
        if not self.archives:
            return Answer(NO, "no_archive")
        if self.page is None:
            return Answer(YES, "copy_of_unknown_page", self.archives[0], certain=False)
        return Answer(YES, "copy_of", self.page.url)

    def _is_search_or_cache(self) -> Answer:
        page = self.page
        if page is None:
            return Answer(NO, "copy_of_unknown_page")
        if self._hosts.fits(hosts.ARCHIVE, page) and is_listing(page):
            return Answer(YES, "list_of_copies", page.host)
        for table in (hosts.SEARCH, hosts.CACHE):
            if self._hosts.fits(table, page):
                return Answer(YES, f"host_{table}", page.host)
        shape = search_shape(page)
        return Answer(YES, "search_parameter", shape) if shape else Answer(NO, "no_search")

    def _is_transfer(self) -> Answer:
        if self.page is None:
            return Answer(NO, "copy_of_unknown_page")
        if self._hosts.fits(hosts.REDIRECT, self.page):
            return Answer(YES, "host_redirect", self.page.host)
        target = transfer_shape(self.page)
        return Answer(YES, "passes_on_to", target) if target else Answer(NO, "no_transfer")

    def _is_issued_by_party(self) -> Answer:
        party = self._subject or self._affiliated
        if party:
            return Answer(YES, "party_domain", party)
        if self._publisher == hosts.WIRE:
            return Answer(YES, "press_wire", self.page.host if self.page else "", certain=False)
        # A host that no table knows may well be a party's that nobody declared.
        return Answer(NO, "no_party_domain", certain=self._publisher is not None)

    def _is_register(self) -> Answer:
        if self._publisher in _REGISTERS:
            return Answer(YES, f"host_{self._publisher}", self._host(), certain=self._publisher != hosts.LAWS)
        return Answer(NO, "no_register")

    def _is_press_or_research(self) -> Answer:
        if self._publisher in _SECONDARY:
            return Answer(YES, f"host_{self._publisher}", self._host(), certain=False)
        return Answer(
            NO, f"host_{self._publisher}" if self._publisher else "unknown_host", self._host(), self._publisher is not None
        )

    def _is_encyclopaedia(self) -> Answer:
        if self._publisher in (hosts.ENCYCLOPAEDIA, hosts.LINK_LIST):
            return Answer(YES, f"host_{self._publisher}", self._host(), certain=self._publisher == hosts.ENCYCLOPAEDIA)
        return Answer(NO, "no_encyclopaedia")

    def _claims_facts(self) -> Answer:
        """A factual claim may stand here alone only if a person agrees; an opinion is context and no more."""
        if self._claim_types and ClaimType.FACTUAL not in self._claim_types:
            return Answer(NO, "claims_are_opinions")
        return Answer(YES, "claims_are_factual" if self._claim_types else "claims_unknown", certain=False)

    def answer_coi(self, question: str) -> Answer:
        """Answer one question of the chart on conflicts of interest."""
        if question == "author_is_subject":
            return Answer(YES, "party_domain", self._subject) if self._subject else Answer(NO, "no_party_domain")
        if question == "author_is_affiliated":
            return Answer(YES, "related_party_domain", self._affiliated) if self._affiliated else Answer(NO, "no_party_domain")
        if self._subject or self._affiliated:
            rejected = self.answer_role("search_or_cache").value == YES or self.answer_role("transfer").value == YES
            return Answer(NO, "no_page_of_its_own") if rejected else Answer(YES, "party_domain", self._host())
        if self._publisher in _OUTSIDERS and not self._is_unusable():
            return Answer(YES, f"host_{self._publisher}", self._host(), certain=self._publisher not in _SECONDARY)
        # Nothing rests on a source that is rejected, so nobody needs to be asked.
        return Answer(NO, "author_not_in_address", self._host(), certain=self._is_unusable())

    def _is_unusable(self) -> bool:
        usable = self._given is not None and (self.page is not None or bool(self.archives))
        return not usable or any(self.answer_role(one).value == YES for one in ("search_or_cache", "transfer"))

    def _host(self) -> str:
        return self.page.host if self.page else ""

    def primary_type(self) -> PrimaryType | None:
        """Return what kind of primary source it is, where the address tells; an annual report before other filings."""
        if self._publisher == hosts.WIRE and not (self._subject or self._affiliated):
            return PrimaryType.OFFICIAL_PRESS
        if not (self._subject or self._affiliated):
            return _REGISTERS.get(self._publisher or "")
        if self.page is None:
            return None
        if self._hosts.fits("video", self.page):
            return PrimaryType.OFFICIAL_VIDEO
        if self._publisher == hosts.PLATFORM:
            return None
        return _PAGE_TYPES.get(self._hosts.page_kind(self.page) or "")
