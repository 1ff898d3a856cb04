from itertools import pairwise

from hangbisect.watch.clocks import Clocks, Due


def clocks(**changed):
    return Clocks(100.0, **{"notice": 5.0, "patience": 20.0, **changed})


def test_nothing_is_due_while_things_move():
    c = clocks()

    for now in (101.0, 102.0, 103.0, 130.0):
        c.progress(now)
        assert c.due(now) == ()


def test_a_first_look_for_the_dead_comes_after_stillness():
    c = clocks()

    assert c.due(101.4) == ()
    assert c.due(101.5) == (Due.LOOK,)


def test_looks_come_more_rarely_the_longer_nobody_is_found_dead():
    c = clocks(notice=1e9, patience=1e9)
    looks, now = [], 100.0

    while now < 200.0:
        if Due.LOOK in c.due(now):
            looks.append(now)
            c.looked(now)
        now += 0.25

    pauses = [b - a for a, b in pairwise(looks)]
    assert pauses == sorted(pauses)
    assert pauses[-1] >= 15.0


def test_notice_and_patience_are_said_once():
    c = clocks()

    said = [due for now in range(101, 160) for due in c.due(float(now)) if due is not Due.LOOK]

    assert said == [Due.NOTICE, Due.PATIENCE]


def test_progress_starts_all_clocks_again():
    c = clocks()
    c.due(105.0)

    c.progress(106.0)

    assert c.quiet(110.0) == 4.0
    assert Due.NOTICE in c.due(111.0)


def test_time_in_which_we_were_stopped_does_not_count():
    c = clocks()
    c.tick(100.25, 0.25)

    c.tick(1100.5, 0.25)

    assert c.quiet(1100.5) < 1.0
    assert c.due(1100.5) == ()


def test_within_is_due_even_while_things_move():
    c = clocks(within=10.0)

    c.progress(109.9)

    assert c.due(110.0) == (Due.WITHIN,)
    assert c.due(110.25) == ()


def test_a_known_deadline_holds_patience_back():
    c = clocks()
    assert Due.PATIENCE in c.due(120.0)

    c.postpone(150.0)

    assert Due.PATIENCE not in c.due(149.0)
    assert Due.PATIENCE in c.due(150.0)


def test_burning_cpu_for_the_whole_patience_may_be_a_spin():
    c, said = clocks(), []

    for tick in range(1, 100):
        now = 100.0 + tick / 4
        c.burned(now)
        said += c.due(now)

    assert said == [Due.SPIN]


def test_progress_in_between_is_no_spin():
    c, said = clocks(), []

    for tick in range(1, 200):
        now = 100.0 + tick / 4
        c.progress(now) if tick % 40 == 0 else c.burned(now)
        said += c.due(now)

    assert said == []


def test_holding_patience_back_does_not_hide_how_long_it_is_quiet():
    c = clocks()

    c.postpone(150.0)

    assert c.quiet(120.0) == 20.0
