import warnings

warnings.warn("from the module that is imported", stacklevel=1)
warnings.warn("seen at the importing line", stacklevel=2)
