import importlib
import sys

del sys.modules["deep"]
importlib.import_module("deep")
