"""Decision rules."""

from __future__ import annotations

import pytest

from vaultgraph.audit.rules import parse_rule
from vaultgraph.errors import InputError


def test_a_rule_is_read_and_applied():
    rule = parse_rule("share(stale, dead) > 0.5", ["live", "stale", "dead"])
    assert rule.labels == ("stale", "dead")
    assert rule.holds(0.65)
    assert not rule.holds(0.5)
    assert parse_rule("recall >= 0.8", ["a"]).holds(0.8)
    assert parse_rule("share( stale )<=.25", ["stale"]).holds(0.25)
    assert parse_rule("kappa < 1", ["a"]).holds(0.99)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("share(gone) > 0.5", "gone is no label of this audit"),
        ("recall > 2", "a share is from 0 to 1"),
        ("import os", "it cannot be read"),
        ("share() > 0.1", "it cannot be read"),
        ("share(live,) > 0.1", " is no label of this audit"),
        ("recall > 0.5 or True", "it cannot be read"),
        ("recall == 0.5", "it cannot be read"),
        ("", "it cannot be read"),
    ],
)
def test_another_rule_is_refused_in_one_line(text, reason):
    with pytest.raises(InputError) as error:
        parse_rule(text, ["live", "stale"])
    assert error.value.message == f"rule {text!r}: {reason}"
