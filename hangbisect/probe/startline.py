"""The start-up line: what is run, where, by which interpreter, with which harmless variables."""

import os
import sys

_PREFIXES = ("CUDA_", "NCCL_", "OMP_", "MKL_", "MASTER_", "PYTHON", "TORCH_", "XDG_", "HIP_")
_NAMES = frozenset(
    (
        "RANK",
        "WORLD_SIZE",
        "LOCAL_RANK",
        "LOCAL_WORLD_SIZE",
        "GROUP_RANK",
        "NODE_RANK",
        "GLOO_SOCKET_IFNAME",
        "HF_HOME",
        "HF_ENDPOINT",
        "HF_HUB_OFFLINE",
        "HF_HUB_CACHE",
        "HF_DATASETS_OFFLINE",
        "TRANSFORMERS_OFFLINE",
        "TMPDIR",
        "LD_LIBRARY_PATH",
        "LD_PRELOAD",
        "VIRTUAL_ENV",
        "CONDA_PREFIX",
        "KMP_DUPLICATE_LIB_OK",
        "KMP_AFFINITY",
        "DISPLAY",
        "TERM",
        "LANG",
        "HANGBISECT_FOLDER",
    )
)
_SECRETS = ("token", "secret", "passw", "credential", "api_key", "api-key", "apikey", "auth")
_TOKENS = ("hf_", "sk-", "ghp_", "gho_", "github_pat_", "glpat-", "xoxb-", "AKIA")
_LONGEST = 600
MASK = "***"


def pairs(notes: "list[str]") -> "list[tuple[str, str]]":
    """Give the start-up line as keys and values, secrets masked."""
    line = [
        ("version", "%d.%d.%d" % sys.version_info[:3]),
        ("implementation", sys.implementation.name),
        ("executable", sys.executable or ""),
        ("cwd", _working_directory()),
    ]
    line += [("note", note) for note in notes]
    line += [("argv", argument[:_LONGEST]) for argument in mask(_arguments())]
    line += [("env", variable[:_LONGEST]) for variable in environment()]
    return line


def environment() -> "list[str]":
    """Give the variables of the allow-list, as NAME=VALUE."""
    return [
        name + "=" + _mask_value(value)
        for name, value in sorted(os.environ.items())
        if (name in _NAMES or name.startswith(_PREFIXES)) and not _is_secret(name)
    ]


def mask(arguments: "list[str]") -> "list[str]":
    """Mask secrets: the value of an option with a telling name, known tokens, URL passwords."""
    masked = []
    hide = False
    for argument in arguments:
        name, equals, _ = argument.partition("=")
        if hide and not argument.startswith("-"):
            masked.append(MASK)
            hide = False
            continue
        names_secret = len(name) < 60 and " " not in name and _is_secret(name)
        hide = names_secret and not equals and name.startswith("-")
        masked.append(name + "=" + MASK if names_secret and equals else _mask_value(argument))
    return masked


def _mask_value(text: str) -> str:
    scheme, separator, rest = text.partition("://")
    if separator and "@" in rest.split("/", 1)[0]:
        text = scheme + "://" + MASK + "@" + rest.split("@", 1)[1]
    for token in _TOKENS:
        at = text.find(token)
        if at >= 0 and len(text) - at > len(token) + 12:
            text = text[:at] + MASK
    return text


def _is_secret(name: str) -> bool:
    lower = name.lower()
    return any(word in lower for word in _SECRETS)


def _arguments() -> "list[str]":
    original = getattr(sys, "orig_argv", None)  # 3.10
    if original:
        return list(original)
    return [sys.executable or "python", *getattr(sys, "argv", [])]


def _working_directory() -> str:
    try:
        return os.getcwd()
    except OSError:
        return ""
