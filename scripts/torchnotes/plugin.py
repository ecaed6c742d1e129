"""The MkDocs plugin: glue only, and the only module that imports mkdocs.

Reads and checks the data once a build, then adds generated pages and data files in memory, outside the navigation.
"""

from pathlib import Path

from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, get_plugin_logger
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

from torchnotes.checks import library_below
from torchnotes.index import index_files
from torchnotes.library import Library
from torchnotes.lifted import LiftedBlocks
from torchnotes.opendata import data_files
from torchnotes.pages import pages_of
from torchnotes.problem import report
from torchnotes.rendered import RenderedPages

log = get_plugin_logger("torchnotes")


class TorchnotesConfig(Config):  # type: ignore[no-untyped-call]
    """No settings: the data lies beside mkdocs.yml."""


class TorchnotesPlugin(BasePlugin[TorchnotesConfig]):  # type: ignore[no-untyped-call]
    """Adds the knowledge base to the site."""

    _is_serving = False
    _library: Library | None = None

    def __init__(self) -> None:
        """Begin with no page rendered."""
        super().__init__()
        self._rendered = RenderedPages()
        self._lifted = LiftedBlocks()

    def on_startup(self, *, command: str, dirty: bool) -> None:  # noqa: ARG002
        """Note what runs. That this method is here makes ``mkdocs serve`` keep this object from build to build."""
        self._is_serving = command == "serve"

    def _current(self) -> Library:
        if self._library is None:
            raise PluginError("MkDocs asked for pages before it let the data be read.")
        return self._library

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Rebuild when data or templates change."""
        data = Path(config.config_file_path).with_name("data")
        config.watch += [str(data), str(Path(__file__).parent / "pages" / "templates")]
        return config

    def on_pre_build(self, *, config: MkDocsConfig) -> None:
        """Read the data, or stop with every problem before MkDocs empties the site's folder.

        A server that is running goes on with the newest data without problems: MkDocs would answer nothing at all.
        """
        found = library_below(Path(config.config_file_path).parent)
        if isinstance(found, Library):
            self._library = found
        elif self._is_serving and self._library is not None:
            log.error("The data has problems; the pages still show what was there before.\n%s", report(found))
        else:
            raise PluginError(f"The data has problems; the site was not built.\n{report(found)}")

    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Add every generated file."""
        library = self._current()
        for page in pages_of(library).values():
            file = File.generated(config, page.path, content=page.text, inclusion=InclusionLevel.NOT_IN_NAV)
            if page.source is not None:
                file.edit_uri = f"../{page.source}"
            files.append(file)
        for path, text in (data_files(library) | index_files(library)).items():
            files.append(File.generated(config, path, content=text))
        return files

    def on_nav(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> Navigation:  # noqa: ARG002
        """Give pages the day of the data instead of the day of the build, so that two builds are the same."""
        day = self._current().day
        for file in files.documentation_pages():
            if file.page is not None:
                file.page.update_date = day
        return nav

    def on_page_markdown(self, markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG002
        """Do not render what is finished, nor what a running server has rendered before."""
        text = self._lifted.before(markdown)
        return self._rendered.before(page.file.src_uri, text) if self._is_serving else text

    def on_page_content(self, html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG002
        """Put in place what was rendered, now or before."""
        rendered = self._rendered.after(page.file.src_uri, page, html) if self._is_serving else html
        return self._lifted.after(page, rendered)
