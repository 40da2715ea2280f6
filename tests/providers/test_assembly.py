"""Blocks become one text with sections as offsets."""

from hypothesis import given
from hypothesis import strategies as st

from lyra.core.records import Section
from lyra.providers.assembly import Block, assemble

BLOCKS = st.builds(
    Block,
    st.text(max_size=20),
    heading=st.booleans(),
    outside=st.booleans(),
    page=st.sampled_from([None, 1, 2]),
    glue=st.sampled_from(["\n\n", "\n", " "]),
)


def test_a_heading_stands_before_its_section_and_in_none() -> None:
    text, sections = assemble(
        [Block("One", heading=True), Block("a"), Block("- b", glue="\n"), Block("Two", heading=True), Block("c")]
    )
    assert text == "One\n\na\n- b\n\nTwo\n\nc"
    assert sections == (Section(5, 10, "One"), Section(17, 18, "Two"))


def test_a_new_page_begins_a_section_under_the_same_heading() -> None:
    _, sections = assemble([Block("H", heading=True), Block("a", page=1), Block("b", page=2)])
    assert [(section.heading, section.page_number) for section in sections] == [("H", 1), ("H", 2)]


def test_an_outside_block_stands_in_the_text_and_in_no_section() -> None:
    text, sections = assemble([Block("Jane Doe", outside=True), Block("a"), Block("contents", outside=True), Block("b")])
    assert text == "Jane Doe\n\na\n\ncontents\n\nb"
    assert [text[section.start : section.end] for section in sections] == ["a", "b"]


def test_empty_blocks_leave_no_trace() -> None:
    assert assemble([Block(" \n"), Block("a"), Block("\u200b"), Block("")]) == ("a", (Section(0, 1),))


@given(st.lists(BLOCKS, max_size=12))
def test_sections_are_ordered_slices_of_the_text(blocks: list[Block]) -> None:
    text, sections = assemble(blocks)
    previous = 0
    for section in sections:
        assert previous <= section.start < section.end <= len(text)
        previous = section.end
