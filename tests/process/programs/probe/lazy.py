"""Import lazily, from a zip file, by hand and again, in several threads."""

import importlib
import importlib.util
import sys
import threading
import traceback
import zipfile

spec = importlib.util.find_spec("colorsys")
spec.loader = importlib.util.LazyLoader(spec.loader)
module = importlib.util.module_from_spec(spec)
sys.modules["colorsys"] = module
spec.loader.exec_module(module)
print(module.rgb_to_hsv(1, 0, 0))
with zipfile.ZipFile("made.zip", "w") as made:
    made.writestr("zipped.py", "VALUE = 7\n")
    made.writestr("zipped_badly.py", "1 / 0\n")
sys.path.insert(0, "made.zip")
import zipped  # noqa: E402

print(zipped.VALUE, importlib.reload(zipped) is zipped)
try:
    import zipped_badly  # noqa: F401
except ZeroDivisionError:
    traceback.print_exc()
names = ["csv", "tabnanny", "sched", "wave", "decimal", "fractions", "statistics"]
threads = [threading.Thread(target=importlib.import_module, args=(name,)) for name in names * 3]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(all(name in sys.modules for name in names))
