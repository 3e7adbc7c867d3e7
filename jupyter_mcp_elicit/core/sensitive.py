"""Whether a field asks for a secret, which a server must never do in a form.

It reads words, so it is a warning and no guard: a server that means to deceive
finds words that are not here.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from .field import NUMBER_KINDS, TEXT_KINDS, Kind

#: Characters of a name or title, and of a description, that are read.
_MAX_NAME: Final = 100
_MAX_DESCRIPTION: Final = 500

#: Letters that look like Latin ones, and digits and signs that stand for them.
_LOOKALIKES: Final = str.maketrans(
    "\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0455\u0456\u0458\u04bb\u0501"
    "\u03b1\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u0131\u0261",
    "abekmhopctyxsijhdaeiknoptuxig",
)
_LEET: Final = str.maketrans("01345789@$!", "oieastbgasi")

#: The same word in other languages, where a person is asked in theirs.
_FOREIGN: Final = (
    r"passwort|kennwort|contrase\u00f1a|senha|wachtwoord|heslo|has\u0142o|l\u00f6senord|parola|\u015fifre|"
    r"\u043f\u0430\u0440\u043e\u043b\u044c|\u5bc6\u7801|\u5bc6\u78bc|\u30d1\u30b9\u30ef\u30fc\u30c9|"
    r"\ube44\ubc00\ubc88\ud638|\bmot de passe\b"
)

#: What follows where something about the secret is asked, and not the secret.
_ABOUT: Final = (
    r"(?! (?:reset|polic|length|len|size|expir|age|hint|strength|manager|protect|rotat|min|max|service|"
    r"rule|histor|attempt|url|uri|link|count|limit|budget|usage|ids?\b|type|kind|name|symbol|address|contract|"
    r"decimal|supply|balance|amount|price|standard|lifetime|ttl|window|rate|position|index|endpoint|arn|path|"
    r"file|ref|version|store|provider|profile|fingerprint|algorithm|format|prefix|suffix|label|namespace|"
    r"per|enabled|required|update|changed|last|created|scope|santa|email|generat|model|status|complexity))"
)

#: What comes before a token that is a piece of text, a place in a list or a coin.
_NO_COIN: Final = "".join(
    f"(?<!{word} )"
    for word in (
        *("max", "min", "num", "page", "next", "previous", "continuation", "sync", "cursor", "pagination"),
        *("special", "nft", "native", "base", "quote", "governance", "pad", "eos", "bos", "unk", "mask"),
        *("each", "design", "reward", "lp", "end", "start", "delta", "resume", "change", "sell", "buy"),
        *("input", "output", "per", "stop"),
    )
)
_WORDS: Final = (
    r"(?:passw(?:or)?ds?|pwd|pass ?phrase|pass ?code)\b" + _ABOUT,
    r"\b(?:db|user|smtp|ftp|mysql|root|admin|login|my) pass\b",
    r"(?:apikey|secretkey|privatekey|accesskey|accesstoken|authtoken|clientsecret)\b" + _ABOUT,
    r"\b(?:secrets?|credentials?)\b" + _ABOUT,
    _NO_COIN + r"\b(?:(?:auth|access|api|bearer|refresh) tokens|token)\b" + _ABOUT,
    r"\b(?:api|access|secret|private|ssh|pgp|gpg|encryption|decryption|signing|master|auth|account|storage|wallet|"
    r"recovery|consumer|subscription|deploy|openai|anthropic|stripe|aws|azure|github|gitlab|slack|twilio|sendgrid|"
    r"openrouter|hf|gemini|mistral|cohere|datadog) keys?\b" + _ABOUT,
    r"\b[th]?otp\b",
    r"\b(?:one time|onetime|2 ?fa|mfa|two factor|2 factor|verification|authenticator|authentication|auth|"
    r"sign in|security|sms|login|recovery|backup|access|authorization) (?:pass|pin|codes?)\b",
    r"\b(?:cvv|cvc|cvn)2?\b|\bcard (?:verification|number|pin)\b",
    r"\b(?:credit|debit|payment) card\b(?! (?:type|brand|id|last))",
    r"\b(?:seed|recovery|backup|wallet|secret|mnemonic) (?:phrase|words?|seed)\b|\bmnemonic\b",
    r"\b(?:ssn|social security|maiden name)\b",
    r"\b(?:session|auth|login) cookies?\b|\bjwt\b|\bconnection string\b" + _ABOUT,
    r"\b(?:github|gitlab|azure|ado|personal) pat\b",
    r"\b(?:your|atm|bank|account|card|security|secret|login|user|sim|device) pin\b",
    _FOREIGN,
)
#: Some of these is in every text that the words above are found in.
_STEMS: Final = (
    *("pass", "pwd", "key", "secret", "credential", "token", "otp", "code", "pin", "cv", "card", "phrase"),
    *("word", "seed", "mnemonic", "ssn", "social", "maiden", "cookie", "jwt", "string", "pat", "bearer"),
    *("fa", "senha", "contrase", "heslo", "has\u0142o", "\u00f6senord", "parola", "\u015fifre"),
    "\u043f\u0430\u0440",
    *("\u5bc6\u7801", "\u5bc6\u78bc", "\u30d1\u30b9", "\ube44\ubc00"),
)
_STEM: Final = re.compile("|".join(_STEMS))
_ASKED: Final = re.compile("|".join(f"(?:{words})" for words in _WORDS))

#: Names that are a secret when they are all there is.
_ALONE: Final = frozenset(
    {"pin", "pin code", "pin number", "pass", "pat", "bearer", "cookie", "passkey", "2 fa", "2fa", "mfa"}
)

#: A description mentions many things; it asks for one when it tells the person to give it.
_GIVE: Final = re.compile(
    r"\b(?:enter|paste|type|provide|supply|give|insert|input|copy|fill in|your|we need|needed to log ?in)\b"
)
_NOT: Final = re.compile(
    r"\b(?:not|never|don t|without|no|instead of|forgot|reset|(?:name|id|number|kind|type) of)\b"
)
_APART: Final = re.compile(r"[\W_]+")
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def asks_for_secret(
    name: str,
    title: str = "",
    description: str = "",
    *,
    format: str = "",
    write_only: bool = False,
    kind: Kind = Kind.STRING,
) -> bool:
    """Whether the field's own texts, its format or ``writeOnly`` say that a secret is wanted.

    A truth value, a choice and a date are never a secret that a person types.
    """
    if kind not in (TEXT_KINDS | NUMBER_KINDS) - {Kind.DATE, Kind.DATE_TIME}:
        return False
    if format == "password" or write_only:
        return True
    for text in (name, title):
        for words in _spellings(text[:_MAX_NAME]):
            if words in _ALONE or _ASKED.search(words):
                return True
    return any(_gives(sentence) for sentence in re.split(r"[.!?\n;]", description[:_MAX_DESCRIPTION]))


def _gives(sentence: str) -> bool:
    for words in _spellings(sentence):
        asked = _ASKED.search(words)
        if asked is not None:
            before = words[: asked.end()]
            if _GIVE.search(before) and not _NOT.search(before):
                return True
    return False


def _spellings(text: str) -> list[str]:
    """The words of ``text``, in lower case: as written, and with what only looks like a letter replaced.

    Texts without a stem of any secret are left out, for most texts have none.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        text = "".join(char for char in text if unicodedata.category(char) != "Cf")
    if not any(_STEM.search(spelling) for spelling in _read_as(text.lower())):
        return []
    spellings = _read_as(_CAMEL.sub(" ", text).lower())
    words = (" ".join(_APART.split(spelling)).strip() for spelling in spellings)
    return [each for each in words if _STEM.search(each)]


def _read_as(text: str) -> dict[str, None]:
    plain = text if text.isascii() else text.translate(_LOOKALIKES)
    return dict.fromkeys((text, plain, plain.translate(_LEET)))
