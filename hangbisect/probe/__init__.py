"""What runs inside the target: Python 3.8 or later, standard library only, nothing else of ours.

Loaded under the name `_hangbisect_probe` by `inject/sitecustomize.py`; only `record` knows it here.
"""
