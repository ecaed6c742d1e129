"""The library → pages of Markdown, by source path. Knows no MkDocs: any generator that reads Markdown can follow."""

from torchnotes.pages.page import Page
from torchnotes.pages.site import pages_of

__all__ = ["Page", "pages_of"]
