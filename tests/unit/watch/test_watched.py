import pytest

from hangbisect.watch.watched import ends


@pytest.mark.parametrize(
    ("on_hang", "proved", "training", "ended"),
    [
        ("proved", True, False, True),
        ("proved", False, False, False),
        ("end", False, False, True),
        ("keep", True, False, False),
        ("proved", True, True, False),
        ("end", False, True, True),
        ("keep", True, True, False),
    ],
)
def test_what_is_ended_is_what_was_asked_for_and_training_only_by_end(
    on_hang, proved, training, ended
):
    assert ends(on_hang, proved=proved, training=training) is ended
