class Accelerator:
    def __init__(self):
        self.device = "cpu"

    def prepare(self, event):
        if event is not None:
            event.wait()
        return event
