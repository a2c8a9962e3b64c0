"""`--help` is printed like everything else: through streams.py, so that an ASCII terminal gets ASCII.

typer would write UTF-8 to a stream whose encoding is ASCII, and say nothing where standard output is closed.
"""

from typing import Any

import typer.core

from snapref_harness.cli.streams import check_output


def _show(context: Any, _: Any, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        check_output(needed=True)
        print(context.get_help())
        context.exit()


class Verb(typer.core.TyperCommand):
    def get_help_option(self, ctx: Any) -> Any:
        return _ours(super().get_help_option(ctx))


class Group(typer.core.TyperGroup):
    def get_help_option(self, ctx: Any) -> Any:
        return _ours(super().get_help_option(ctx))


def _ours(option: Any) -> Any:
    if option is not None:
        option.callback = _show
    return option
