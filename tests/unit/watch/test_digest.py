"""The digest of a stack: what changes it, and what it tells nobody."""

from hangbisect.host._protocol import Question
from hangbisect.model import Facts, Repeat, Thread
from hangbisect.watch._digest import digest, key_of
from hangbisect.watch.merge import merge

KEY = key_of(Question(root=1, began=2.5))
STACK = (("<module>", "run.py", 3, {}), ("work", "run.py", 9, {"n": "1", "x": "[1, 2]"}))


def test_the_same_stack_has_the_same_digest_whatever_the_order_of_its_variables() -> None:
    turned = (STACK[0], ("work", "run.py", 9, {"x": "[1, 2]", "n": "1"}))

    assert digest(STACK, KEY) == digest(turned, KEY) is not None


def test_each_part_of_a_stack_changes_its_digest() -> None:
    others = [
        STACK[1:],
        (STACK[0], ("play", "run.py", 9, {"n": "1", "x": "[1, 2]"})),
        (STACK[0], ("work", "run.pyc", 9, {"n": "1", "x": "[1, 2]"})),
        (STACK[0], ("work", "run.py", 8, {"n": "1", "x": "[1, 2]"})),
        (STACK[0], ("work", "run.py", 9, {"n": "2", "x": "[1, 2]"})),
        (STACK[0], ("work", "run.py", 9, {"n": "1"})),
    ]

    found = {digest(stack, KEY) for stack in [STACK, *others]}

    assert len(found) == 7


def test_another_run_has_another_key() -> None:
    keys = {key_of(Question(root=root, began=began)) for root in (1, 2) for began in (2.5, 3.5)}

    assert len(keys) == 4


def test_no_stack_has_no_digest() -> None:
    assert digest((), KEY) is None


def test_text_that_is_not_valid_is_digested_too() -> None:
    assert digest((("f", "\udcff.py", 1, {"s": "\ud800"}),), KEY) is not None


def test_a_look_without_a_digest_leaves_that_of_the_one_before() -> None:
    merged = merge(
        [
            Facts(threads=(Thread(pid=1, tid=1, digest="d"),)),
            Facts(threads=(Thread(pid=1, tid=1),)),
        ]
    )

    assert [thread.digest for thread in merged.threads] == ["d"]


def test_the_later_look_at_a_threads_states_wins() -> None:
    first = Repeat(pid=1, tid=1, samples=250, states=99, fresh=40)
    second = Repeat(pid=1, tid=1, samples=250, states=3, fresh=0)
    other = Repeat(pid=1, tid=2, samples=60, states=3, fresh=0)

    merged = merge([Facts(repeats=(first, other)), Facts(repeats=(second,))])

    assert merged.repeats == (second, other)
