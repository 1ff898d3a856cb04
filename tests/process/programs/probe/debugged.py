"""Stop in the debugger."""

x = 1
import pdb  # noqa: E402

pdb.set_trace()
y = 2
z = 3
print("end")
