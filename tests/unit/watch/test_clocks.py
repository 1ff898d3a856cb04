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


def test_counters_are_taken_while_a_limit_for_the_start_runs():
    c = clocks(within=12.0)

    asked = [now for now in range(101, 120) if _counts(c, float(now))]

    assert asked == [105, 110]


def test_a_short_limit_for_the_start_has_one_count_before_it():
    c = clocks(within=3.0)

    asked = [now / 4 for now in range(404, 440) if _counts(c, now / 4)]

    assert asked == [101.5]


def test_without_a_limit_for_the_start_nothing_is_counted_for_it():
    c = clocks()

    assert not any(_counts(c, float(now)) for now in range(101, 160))


def _counts(c, now):
    c.progress(now)
    return Due.COUNT in c.due(now)


def test_before_training_counters_may_always_be_taken():
    c = clocks()

    assert [c.may_sample(100.0 + tick / 4) for tick in range(9)] == [True] * 9


def test_once_training_has_begun_counters_are_taken_every_ten_seconds():
    c = clocks()
    c.training_began(100.0)

    taken = [tick / 4 for tick in range(400, 560) if c.may_sample(tick / 4)]

    assert taken == [100.0, 110.0, 120.0, 130.0]


def test_once_training_has_begun_nothing_is_due_between_two_samples_that_show_movement():
    c, said = clocks(patience=12.0), []
    c.training_began(100.0)

    for tick in range(400, 800):
        now = tick / 4
        if c.may_sample(now):
            c.progress(now)
        said += c.due(now)

    assert said == []


def test_looks_are_ten_seconds_apart_once_training_has_begun():
    c, looks = clocks(notice=1e9, patience=1e9), []
    c.training_began(100.0)

    for tick in range(400, 800):
        if Due.LOOK in c.due(tick / 4):
            looks.append(tick / 4)
            c.looked(tick / 4)

    assert looks[0] == 120.0
    assert all(b - a >= 10.0 for a, b in pairwise(looks))


def test_training_that_stands_still_is_noticed_and_patience_ends():
    c, said = clocks(patience=40.0), []
    c.training_began(100.0)

    for second in range(101, 160):
        said += [(second, due) for due in c.due(float(second)) if due is not Due.LOOK]

    assert said == [(120, Due.NOTICE), (140, Due.PATIENCE)]


def test_a_start_that_came_to_its_training_is_not_called_slow():
    c = clocks(within=10.0)
    c.training_began(109.0)

    assert Due.WITHIN not in c.due(111.0)
