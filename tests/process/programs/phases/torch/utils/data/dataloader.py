class _BaseDataLoaderIter:
    def __next__(self):
        return 1


class DataLoader:
    def __init__(self):
        self.data = 3

    def __iter__(self):
        return _BaseDataLoaderIter()
