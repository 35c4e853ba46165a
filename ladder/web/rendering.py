"""Templates, with the few filters that they need."""

from datetime import datetime
from pathlib import Path
from typing import Any

from fastapi import Request, Response
from fastapi.templating import Jinja2Templates

TEMPLATES = Jinja2Templates(directory=Path(__file__).parent / "templates")


def when(moment: datetime | None) -> str:
    """Return a moment as people read it, in UTC, to the minute."""
    return "–" if moment is None else f"{moment:%Y-%m-%d %H:%M}"


def percent(part: float, whole: float) -> str:
    """Return a share as whole percent, or a dash when there is no whole."""
    return "–" if whole == 0 else f"{100 * part / whole:.0f} %"


TEMPLATES.env.filters["when"] = when
TEMPLATES.env.globals["percent"] = percent
TEMPLATES.env.trim_blocks = True
TEMPLATES.env.lstrip_blocks = True


def render(request: Request, template: str, *, status_code: int = 200, **values: Any) -> Response:  # noqa: ANN401 - a template takes anything
    """Return the page made of `template` and `values`."""
    return TEMPLATES.TemplateResponse(request, template, values, status_code=status_code)
