import json

from torch import cuda, serialization
from torch._tensor import Tensor

json.loads("{}")
__all__ = ["Tensor", "cuda", "serialization"]
