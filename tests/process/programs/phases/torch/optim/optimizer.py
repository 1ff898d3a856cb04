class Optimizer:
    @staticmethod
    def profile_hook_step(func):
        def wrapper(*args):
            return func(*args)

        return wrapper
