import importlib
import threading

worker = threading.Thread(target=importlib.import_module, args=(__name__,), daemon=True)
worker.start()
print("ready", flush=True)
worker.join()
