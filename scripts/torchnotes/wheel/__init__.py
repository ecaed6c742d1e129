"""One published wheel, as an archive → what it holds, by reading alone.

``archive`` opens it, ``syntax`` reads its Python, and the other modules answer one kind of question each: ``exports``,
``operators``, ``settings``, ``metadata``. Never installs or imports a wheel, and runs none of its code: a wheel for a
machine that nobody here has is read like any other.
"""
