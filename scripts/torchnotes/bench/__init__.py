"""The benchmark: how the site holds up when there are many more features than now.

Synthetic libraries → builds → a real browser → one table with the bars beside the figures. Prints; judges nothing.
"""
