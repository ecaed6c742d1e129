"""Finished HTML that is lifted out of a page's text comes back as it was."""

from types import SimpleNamespace

import pytest

from torchnotes.lifted import LiftedBlocks, lifted

BLOCK = '<div class="a">\n<p id="x">text <b>bold</b></p>\n</div>'


def test_a_whole_block_is_lifted_and_put_back() -> None:
    blocks = LiftedBlocks()
    page = SimpleNamespace(present_anchor_ids=set())
    text = blocks.before(f"# Title\n\n{BLOCK}\n\nWords.\n")
    assert "bold" not in text
    assert BLOCK in blocks.after(page, text)
    assert page.present_anchor_ids == {"x"}


@pytest.mark.parametrize(
    "text",
    [
        f"```html\n\n{BLOCK}\n\n```",
        "<div>\n\ntext\n\n</div>",
        '<div markdown="1">\ntext\n</div>',
        "<p>one</p>\n<p>two",
        "words\n<p>inside a paragraph</p>",
        '<div data-lifted="0"></div>',
    ],
)
def test_what_is_not_a_whole_block_stays(text: str) -> None:
    assert lifted(text) == (text, [])
