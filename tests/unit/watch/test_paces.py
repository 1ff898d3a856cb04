from hangbisect.model import Motion, Pace, ProcessPulse, Sample
from hangbisect.watch.paces import Paces, paces


def sample(time, **counters):
    row = ProcessPulse(pid=7, parent=1, began=100, command="python", **counters)
    return Sample(time=time, processes=(row,))


def test_rates_are_those_of_the_time_between_two_samples():
    before = sample(10.0, read=1000, stored=500, received=0, cpu=1.0)
    after = sample(14.0, read=9000, stored=2500, received=4000, cpu=3.0, major_faults=8)

    assert paces(before, after) == (
        Pace(
            pid=7,
            seconds=4.0,
            cpu=0.5,
            read=1500.0,
            stored=500.0,
            received=1000.0,
            faults=2.0,
            major_faults=2.0,
        ),
    )


def test_a_process_that_did_nothing_has_no_pace():
    assert paces(sample(10.0, cpu=1.0), sample(14.0, cpu=1.0)) == ()


def test_a_process_that_is_new_did_all_of_it_since_then():
    before = Sample(time=10.0)

    assert paces(before, sample(12.0, cpu=1.0)) == (Pace(pid=7, seconds=2.0, cpu=0.5),)


def test_one_sample_gives_no_rates():
    assert paces(None, sample(12.0, cpu=1.0)) == ()


def test_rates_are_measured_over_the_last_ten_seconds():
    kept = Paces()

    for second in range(100, 131):
        kept.take(sample(float(second)))

    assert kept.before == sample(120.0)


def test_rare_samples_are_kept_until_there_is_a_younger_one_to_measure_from():
    kept = Paces()

    kept.take(sample(100.0))
    kept.take(sample(160.0))

    assert kept.before == sample(100.0)


def test_what_moves_moves_since_the_sample_before_it_did():
    kept = Paces()
    for second in range(100, 131):
        kept.take(sample(float(second), received=max(0, second - 105)))

    assert kept.motions(130.0, 90.0) == (Motion(what="bytes read", since=15.0),)


def test_after_a_long_pause_it_is_a_new_movement():
    kept = Paces()
    for second, received in ((100, 0), (101, 5), (102, 5), (120, 5), (121, 9)):
        kept.take(sample(float(second), received=received))

    assert kept.motions(121.0, 100.0) == (Motion(what="bytes read", since=20.0),)


def test_what_stopped_moving_is_not_named():
    kept = Paces()
    for second, received in ((100, 0), (101, 5), (120, 5)):
        kept.take(sample(float(second), received=received))

    assert kept.motions(120.0, 100.0) == ()


def test_what_moves_every_few_seconds_moves_all_the_while():
    kept = Paces()
    for second in range(100, 115):
        kept.take(sample(float(second), received=second // 5))

    assert kept.motions(114.9, 100.0) == (Motion(what="bytes read", since=4.0),)
