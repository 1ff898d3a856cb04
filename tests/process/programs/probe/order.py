"""Say in which order things end."""

import atexit
import threading
import weakref


class Last:
    def __del__(self):
        print("deleted", flush=True)


kept = Last()
weakref.finalize(kept, print, "finalized", flush=True)
atexit.register(print, "atexit", flush=True)
threading.Thread(target=lambda: print("thread", flush=True)).start()
