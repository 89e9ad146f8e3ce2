"""What an error must say: shared by the tests of bad input."""

import pytest

import eigenlens as el


def refusal(kind, *arguments, **options):
    """The message of the error a fit ends in, which must be of that kind and of our own tree."""
    return answer(kind, el.fit, *arguments, **options)


def answer(kind, question, *arguments, **options):
    """The same for any other question."""
    with pytest.raises(kind) as caught:
        question(*arguments, **options)
    assert isinstance(caught.value, el.EigenlensError)
    return str(caught.value)


def assert_says(message, *words):
    assert [one for one in words if one not in message] == [], message
