r"""What secrets look like: the patterns behind `redact_text`.

Token forms are those their issuers publish (GitHub, Hugging Face, OpenAI, AWS, Slack ...), so that
secret scanners can find them. All patterns are linear: no quantifier is nested in another over
the same characters.
"""

import re

MASK = "<redacted>"
"""What stands in a secret's place."""

_WORDS = (
    r"(?:token|secret|password|passwd|passphrase|pwd|api[_-]?key|apikey|credentials?|authorization|auth[_-]?key|cookie"
    r"|(?:access|account|auth|client|encryption|hf|hub|license|master|openai|anthropic|private|secret|service|session"
    r"|shared|sign(?:ing|ature)?|ssh|storage|subscription|wandb)[_-]?(?:key|sig|signature|secret)(?:[_-]?id)?)"
)
NAME = re.compile(rf"(?i)(?:^|[^a-z0-9]|(?<=[a-z0-9])){_WORDS}$")
"""A name whose value is a secret: it ends in a telling word (`HF_TOKEN`, `dbPassword`)."""

_SHORT_WORDS = r"(?:auth|pass|bearer|creds?|jwt)"
SHORT_NAME = re.compile(rf"(?i)(?:^|[^a-z])(?:{_SHORT_WORDS}|[a-z0-9]+[_-]key)$")
"""A name that is telling where it is an option's or a field's, and too common in other text."""
PLAIN = re.compile(r"[^\s:?&@#\"'(){}]+")
"""What may stand before the first `=` of an argument and be a name: no URL, header or code."""

# Code and types that stand where a value might: they are no secrets, and the reader needs them.
_CODE = (
    r"(?:None|null|True|False|true|false|str|bytes|int|bool|float|Optional|os|self|cls|args|opts?|cfg|config|settings"
    r"|options|hparams|getpass|input)\b(?=[\s.,)\]}|\[(:=]|$)|[A-Za-z_][\w.]*[(\[]|\$\{?\w"
    r"|[A-Za-z_]+(?:\.[A-Za-z_]+)+(?![\w.])"
)
_QUOTED = r"""[bBrRuUfF]{0,2}(?P<q>["'])(?P<value>(?:(?!(?P=q))[^\\\n]|\\.)+)"""
_BARE = r"""(?P<bare>[^\s"'(),;&\\\[\]{}]+)"""
ASSIGNED = re.compile(
    rf"""(?i)(?P<head>(?<![a-z0-9])[\w.-]{{0,60}}?{_WORDS}["']?\]?\s*(?:(?::=|==?|:)\s*|["']\s*,\s*(?=["'])|,\s*(?=["'])))"""
    rf"(?:{_QUOTED}|(?!(?-i:{_CODE})){_BARE})"
)
"""name = value, name: value, "name", "value", in code, in JSON and in query strings."""
FLAG = re.compile(
    rf"""(?i)(?P<head>(?<!\S)--?(?:[\w-]{{0,60}}?{_WORDS}|(?:[\w-]{{0,60}}[_-])?{_SHORT_WORDS})(?:\s+|=))"""
    r"""(?P<value>"[^"]*"|'[^']*'|[^\s"'-]\S*)"""
)
"""--name value in a command line that is one string."""
HEADER = re.compile(
    r"""(?i)(?P<head>\b(?:authorization|proxy-authorization|cookie|set-cookie|x-[\w-]{0,40}?(?:key|token))["']?\s*[:=]\s*["']?)"""
    r"""(?P<value>[^"'\r\n]+)"""
)
BEARER = re.compile(
    r"(?i)(?P<head>\b(?:bearer|basic)\s+)(?P<value>(?=[\w.~+/-]*[\d=])[\w.~+/-]{8,}=*|<redacted>)"
)
USERINFO = re.compile(
    r"(?i)(?P<head>\b[a-z][a-z0-9+.-]{1,20}://)(?!git@)(?P<value>[^\s/?#\"'<>]+|<redacted>)(?=@)"
)
QUERY = re.compile(
    r"(?i)(?P<head>[?&;](?:[\w.-]{0,40}?(?:token|secret|password|passwd|pwd|key|sig|signature|credential|auth|code|session|security)"
    r"[\w.-]{0,20})=)(?P<value>[^&#\s\"']+)"
)
KEY_LIKE = re.compile(r"[A-Za-z0-9_-]{20,}")
"""What follows `login` on a command line, if it is a key."""
LOGIN = re.compile(r"(?P<head>\blogin\s+(?:--\w[\w-]*\s+)*)(?P<value>[A-Za-z0-9_-]{20,})")
CURL_USER = re.compile(
    r"(?P<head>(?<!\S)(?:-u|--user|--proxy-user)[\s=]+[^\s:'\"]+:)(?P<value>[^\s'\"]+)"
)
KEY_BLOCK = re.compile(r"(?P<head>-----BEGIN [A-Z ]*PRIVATE KEY-----)(?P<value>[^-]+)")
TOKENS = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"hf_(?:(?=[A-Za-z]*[0-9])[A-Za-z0-9]{8,}|[A-Za-z0-9]{20,})"
    r"|(?:sk|pk|rk)-(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{16,}"
    r"|(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{10,}"
    r"|gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}"
    r"|xox[abeoprs]-[A-Za-z0-9-]{10,}|(?:AKIA|ASIA)[0-9A-Z]{12,}|AIza[A-Za-z0-9_-]{30,}"
    r"|ey[JK][A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?"
    r"|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{16,}|dckr_pat_[A-Za-z0-9_-]{16,}|nvapi-[A-Za-z0-9_-]{16,}"
    r"|gsk_[A-Za-z0-9]{20,}|r8_[A-Za-z0-9]{20,}|wandb_v1_[A-Za-z0-9_]{16,}|SG\.[\w-]{16,}\.[\w-]{16,}"
    r")"
)
HEADED = (KEY_BLOCK, HEADER, BEARER, USERINFO, QUERY, ASSIGNED, FLAG, LOGIN, CURL_USER)
"""Patterns of a head that stays and a value that goes, in the order in which they are applied."""
