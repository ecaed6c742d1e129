"""The MkDocs plugin: glue only, and the only module that imports mkdocs.

Reads and checks the data once a build, then adds generated pages and data files in memory, outside the navigation.
"""

from pathlib import Path

from mkdocs.config.base import Config
from mkdocs.config.config_options import Optional, Type
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, get_plugin_logger
from mkdocs.structure.files import File, Files, InclusionLevel

from torchnotes.checks import problems_below
from torchnotes.opendata import data_files
from torchnotes.pages import pages_of
from torchnotes.problem import report

log = get_plugin_logger("torchnotes")


class TorchnotesConfig(Config):  # type: ignore[no-untyped-call]
    """Settings in mkdocs.yml."""

    root = Optional(Type(str))
    """Folder that holds data/, from the folder of mkdocs.yml; that folder itself when left out."""


class TorchnotesPlugin(BasePlugin[TorchnotesConfig]):  # type: ignore[no-untyped-call]
    """Adds the knowledge base to the site."""

    def _root(self, config: MkDocsConfig) -> Path:
        return Path(config.config_file_path).parent / (self.config.root or ".")

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Rebuild when data or templates change."""
        config.watch += [str(self._root(config) / "data"), str(Path(__file__).parent / "pages" / "templates")]
        return config

    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Add every generated file, or stop with every problem."""
        problems, library = problems_below(self._root(config))
        if library is None:
            raise PluginError(f"The data has problems; the site was not built.\n{report(problems)}")
        for problem in problems:
            log.warning("%s", problem)
        for page in pages_of(library).values():
            level = InclusionLevel.NOT_IN_NAV
            file = File.generated(config, page.path, content=page.text, inclusion=level)
            if page.source is not None:
                file.edit_uri = f"../{page.source}"
            files.append(file)
        for path, text in data_files(library).items():
            files.append(File.generated(config, path, content=text))
        return files
