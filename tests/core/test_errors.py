from __future__ import annotations

import copy
import pickle

import pytest

from jupyter_mcp_elicit.core import LocalError, RemoteError


def test_our_error_says_what_is_wrong_and_then_the_way_out() -> None:
    error = LocalError("There is no server.", hint="Add one.")
    assert str(error) == "There is no server. Add one."
    assert (error.message, error.hint) == ("There is no server.", "Add one.")
    assert str(LocalError("There is no server.")) == "There is no server."


def test_their_error_has_the_code_to_answer_with() -> None:
    error = RemoteError("The field is not flat.")
    assert (error.code, error.data) == (-32602, None)
    assert str(error) == "The field is not flat. (-32602)"
    other = RemoteError("Busy.", code=-32600, data={"waiting": 1})
    assert (other.code, other.data) == (-32600, {"waiting": 1})


def test_neither_is_the_other() -> None:
    assert not issubclass(LocalError, RemoteError)
    assert not issubclass(RemoteError, LocalError)


@pytest.mark.parametrize("error", [LocalError("Not now.", hint="Wait."), RemoteError("No.", code=-32600)])
def test_a_notebook_shows_one_line_and_none_of_our_frames(error: LocalError | RemoteError) -> None:
    assert error._render_traceback_() == [f"{type(error).__name__}: {error}"]


@pytest.mark.parametrize(
    "error", [LocalError("Not now.", hint="Wait."), RemoteError("No.", code=-5, data=[1])]
)
def test_an_error_that_crosses_processes_keeps_all_it_says(error: LocalError | RemoteError) -> None:
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(other) is type(error)
        assert vars(other) == vars(error)
        assert str(other) == str(error)
