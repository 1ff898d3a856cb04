"""Wait at the last line."""

import json

value = json.dumps(1)
for _ in range(300):
    value += "x"
print("ready", flush=True)
input()
