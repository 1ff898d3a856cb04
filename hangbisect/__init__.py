"""Find what hangs a Python program at its start, name who holds it, and say how that is known."""
