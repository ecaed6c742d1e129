"""``python -m torchnotes``: the same as the installed command."""

from torchnotes.cli import run

if __name__ == "__main__":
    run()
