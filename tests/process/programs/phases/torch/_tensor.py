class Tensor:
    def backward(self):
        return None
