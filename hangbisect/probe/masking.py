"""Masks what could be a secret in the start-up line, with plain string operations.

It masks too much rather than too little: whoever watches reads the command line itself.
"""

MASK = "***"
_TELLING = (
    *("token", "secret", "key", "pass", "pwd", "auth", "credential", "creds", "bearer", "cookie"),
    *("session", "signature", "jwt", "login"),
)
_USERS = ("-u", "--user", "--proxy-user")
# The published forms of tokens.
_FORMS = (
    *("hf_", "sk-", "pk-", "rk-", "sk_", "pk_", "rk_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    *("github_pat_", "glpat-", "xox", "AKIA", "ASIA", "AIza", "eyJ", "eyK", "npm_", "pypi-"),
    *("dckr_pat_", "nvapi-", "gsk_", "r8_", "wandb_v1_", "SG."),
)
_SHORTEST = 12
"""Characters after its known beginning that make a token."""
_LONG = 20
"""Characters of one word, letters and digits mixed, that make a token."""
_LONG_BASE64 = 32
_ENDS = " \t\r\n\"'<>"


def mask(arguments: "list[str]") -> "list[str]":
    """Mask the value after each telling name, logins and queries of URLs, and likely tokens."""
    masked = []
    hide = user = False
    for argument in arguments:
        if (hide and not argument.startswith("-")) or (user and ":" in argument):
            masked.append(MASK)
            hide = user = False
            continue
        masked.append(mask_text(argument))
        hide = "=" not in argument and _hides_the_next(argument)
        user = argument in _USERS
    return masked


def mask_text(text: str) -> str:
    """Mask in one argument, or in the value of a variable."""
    return _mask_forms(_mask_words(_mask_urls(_mask_user(_mask_named(text)))))


def _hides_the_next(argument: str) -> bool:
    lower = argument.lower()
    return lower in _TELLING or (lower.startswith("-") and _telling_end(lower) is not None)


def _mask_named(text: str) -> str:
    """Cut after the first telling name that something follows: `x_token=`, `"secret": `."""
    end = _telling_end(text.lower(), with_value=True)
    return text if end is None else text[: end + 1] + MASK


def _telling_end(lower: str, *, with_value: bool = False) -> "int | None":
    """Find the end of the first name with a telling word in it."""
    found = []
    for word in (*_TELLING, "sig"):
        at = lower.find(word)
        while at >= 0:
            end = at + len(word)
            whole = word != "sig" or not (lower[at - 1 : at] + lower[end : end + 1]).isalpha()
            while end < len(lower) and (lower[end].isalnum() or lower[end] in "_-./"):
                end += 1
            if whole and (end + 1 < len(lower) or not with_value):
                found.append(end)
                break
            at = lower.find(word, end)
    return min(found) if found else None


def _mask_user(text: str) -> str:
    """Cut after an option that names a user and a password, inside one string."""
    for option in _USERS:
        for end in " =":
            before, found, after = text.partition(option + end)
            if found and ":" in after and (not before or before[-1] in _ENDS):
                text = before + found + MASK
    return text


def _mask_urls(text: str) -> str:
    """Mask the login of each URL, and cut at the first query."""
    first, *rests = text.split("://")
    pieces = [first]
    for rest in rests:
        host = len(rest)
        for stop in "/?#" + _ENDS:
            at = rest.find(stop)
            host = at if 0 <= at < host else host
        login = rest.rfind("@", 0, host)
        pieces.append(rest if login < 0 else MASK + rest[login:])
    text = "://".join(pieces)
    query = text.find("?")
    return text[: query + 1] + MASK if query >= 0 and "=" in text[query:] else text


def _mask_words(text: str) -> str:
    """Mask each long word of letters and digits; a path's names stay, they are seldom secrets."""
    word = ""
    done = []
    for character in text + " ":
        if character.isalnum() or character in "+/_-":
            word += character
            continue
        done.append(MASK if _is_random(word) else word)
        done.append(character)
        word = ""
    return "".join(done)[:-1]


def _is_random(word: str) -> bool:
    if len(word) < _LONG or word.isalpha() or not any(map(str.isalpha, word)):
        return False
    digits = any(map(str.isdigit, word))
    if "/" not in word:
        return digits
    mixed = word.lower() != word and word.upper() != word
    return digits and mixed and (word[:1] != "/" or word[:2] == "//") and len(word) >= _LONG_BASE64


def _mask_forms(text: str) -> str:
    """Cut at the first word that has the form of a known kind of token."""
    for form in _FORMS:
        at = text.find(form)
        while at >= 0:
            if len(text) - at > len(form) + _SHORTEST and not text[at - 1 : at].isalnum():
                text = text[:at] + MASK
                break
            at = text.find(form, at + 1)
    return text
