"""The JSON report: what other programs may rely on, with its published JSON Schema."""

from typing import Any

import msgspec

from hangbisect._version import __version__
from hangbisect.model import Diagnosis, Exit, Step
from hangbisect.report import _document as doc
from hangbisect.report._style import Style

_SHAPED = ("tool", "target", "step", "last_completed", "processes", "environment")
SCHEMA_ID = "https://json-schema.org/draft/2020-12/schema"


def render(diagnosis: Diagnosis, style: Style) -> str:
    """Return the report as indented JSON; the style makes no difference."""
    text = msgspec.json.encode(document(diagnosis))
    return msgspec.json.format(text, indent=2).decode() + "\n"


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) that every report validates against."""
    schema: dict[str, Any] = msgspec.json.schema(doc.Report)
    schema["$defs"]["Exit"]["oneOf"] = [{"required": ["code"]}, {"required": ["signal"]}]
    return {"$schema": SCHEMA_ID, "title": "hangbisect report", **schema}


def document(diagnosis: Diagnosis) -> doc.Report:
    """Return the report as data, all keys present."""
    rest = _plain(diagnosis, leave_out=_SHAPED)
    return msgspec.convert(
        {
            **rest,
            "schema": 1,
            "tool": {"name": "hangbisect", "version": _version(diagnosis.tool)},
            "target": _target(diagnosis),
            "step": _step(diagnosis.step),
            "last_completed": _step(diagnosis.last_completed),
            "processes": [
                {**_plain(process, leave_out=("step",)), "step": _step(process.step)}
                for process in diagnosis.processes
            ],
            "environment": dict(diagnosis.environment),
        },
        type=doc.Report,
    )


def _target(diagnosis: Diagnosis) -> dict[str, object]:
    return {
        **_plain(diagnosis.target, leave_out=("exit",)),
        "exit": _exit(diagnosis.target.exit),
    }


def _exit(ending: Exit | None) -> dict[str, object] | None:
    """Return the one key that says how it ended."""
    if ending is None or (ending.code is None and ending.signal is None):
        return None
    return {"code": ending.code} if ending.signal is None else {"signal": ending.signal}


def _step(step: Step | None) -> dict[str, object] | None:
    if step is None:
        return None
    chain = step.chain or (step,)
    return {
        **_plain(step, leave_out=("chain", "began")),
        "chain": [
            {**_plain(link, leave_out=("pid", "chain", "began")), "started": link.began}
            for link in chain
        ],
        "started": step.began,
    }


def _plain(value: object, leave_out: tuple[str, ...] = ()) -> Any:
    """Return data as dicts and lists; unlike the codec, defaults are written out."""
    if isinstance(value, msgspec.Struct):
        names = (name for name in value.__struct_fields__ if name not in leave_out)
        return {name: _plain(getattr(value, name)) for name in names}
    if isinstance(value, tuple | list):
        return [_plain(part) for part in value]
    return value


def _version(tool: str) -> str:
    """Return the version out of "hangbisect 1.2.3"."""
    return tool.removeprefix("hangbisect").strip() or __version__
