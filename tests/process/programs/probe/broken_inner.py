raise ValueError("raised while being imported")
