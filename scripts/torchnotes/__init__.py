"""An unofficial knowledge base of PyTorch release notes.

YAML records in ``data/`` become a validated ``Library``, and the library becomes pages and open data:
``problem → yaml_source, wheel → terms → model → messages → reading → library → checks → plan → index → pages, opendata, proof, scan → cli``.
A module imports only from the stages before it; ``scripts/tests/test_house_rules.py`` holds that.
Nothing runs on import.
"""

__version__ = "0.1.0"
