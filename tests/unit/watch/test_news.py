from hangbisect.model import Event
from hangbisect.watch import news
from hangbisect.watch.news import News


def event(what="statement", line=4, **changed):
    return Event(
        **{"time": 1.0, "pid": 7, "tid": 7, "file": "/run.py", **changed}, what=what, line=line
    )


def told(*events):
    kept = News()
    return [kept.is_news(each) for each in events]


def test_a_statement_that_comes_again_is_no_news():
    assert told(event(line=4), event(line=5), event(line=4), event(line=6)) == [
        True,
        True,
        False,
        True,
    ]


def test_an_import_that_fails_again_is_no_news():
    tries = [event("import", name="late"), event("import-failed", name="late")]

    assert told(*tries, *tries) == [True, True, False, False]


def test_the_same_place_in_another_process_or_thread_is_news():
    assert told(event(), event(pid=8, tid=8), event(tid=9)) == [True, True, True]


def test_forks_and_steps_of_the_training_are_news_each_time():
    happenings = [event("fork"), event("phase-done", name="training step")]

    assert told(*happenings, *happenings) == [True] * 4


def test_what_is_remembered_is_bounded(monkeypatch):
    monkeypatch.setattr(news, "MOST", 2)
    kept = News()

    assert [kept.is_news(event(line=line)) for line in (1, 2, 1, 3, 1)] == [
        True,
        True,
        False,
        True,
        True,
    ]
