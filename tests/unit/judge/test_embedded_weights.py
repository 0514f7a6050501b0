from __future__ import annotations

import json
import math
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultgraph.judge.embedded.cutoff import choose_cutoff
from vaultgraph.judge.embedded.features import FEATURES
from vaultgraph.judge.embedded.weights import (
    FeatureWeight,
    load_weights,
    parse_weights,
    read_weights_file,
)


def test_the_weights_are_well_formed():
    weights = load_weights()
    assert tuple(feature.name for feature in weights.features) == FEATURES
    for feature in weights.features:
        assert feature.scale > 0
        assert feature.low <= feature.mean <= feature.high
        assert all(map(math.isfinite, feature[1:]))
    assert 0 < weights.base_rate < 1
    assert 0 < weights.floor < 1
    assert weights.cap > 0
    beliefs = weights.beliefs
    assert beliefs.long_index < beliefs.short_index < 0
    assert beliefs.superseded < 0 > beliefs.weaker
    assert 0 < beliefs.no_evidence < beliefs.unnamed < weights.floor
    assert 0 < beliefs.unnamed_part < 1


def test_each_feature_counts_in_the_direction_that_its_name_says():
    signs = {feature.name: feature.weight > 0 for feature in load_weights().features}
    assert {name for name, is_positive in signs.items() if is_positive} == {
        "density", "linked", "sections", "matter", "rests",
    }  # fmt: skip


def test_the_model_is_named_by_the_hash_of_its_file():
    data = read_weights_file()
    assert load_weights().model == f"embedded-{sha256(data).hexdigest()[:8]}"
    assert parse_weights(data + b"\n").model != load_weights().model


def test_the_file_is_as_the_trainer_writes_it():
    data = read_weights_file()
    assert (json.dumps(json.loads(data), indent=1) + "\n").encode() == data


@pytest.mark.parametrize(("key", "value"), [("format", "vaultgraph-embedded/0"), ("features", [])])
def test_weights_of_another_make_are_refused(key, value):
    table = json.loads(read_weights_file())
    table[key] = value
    with pytest.raises(ValueError, match="the weights"):
        parse_weights(json.dumps(table).encode())


def test_values_outside_the_trained_range_count_as_its_edge():
    feature = FeatureWeight("x", weight=2.0, mean=1.0, scale=0.5, low=0.0, high=3.0)
    assert feature.adds(-5.0) == feature.adds(0.0) == -4.0
    assert feature.adds(99.0) == feature.adds(3.0) == 8.0
    assert feature.adds(1.0) == 0.0


def test_the_cap_is_a_share_of_the_notes():
    scores = [0.9, 0.8, 0.7, 0.6, 0.5, 0.2]
    assert choose_cutoff(scores, notes=20, cap=10, floor=0.4) == 0.8
    assert choose_cutoff(scores, notes=21, cap=10, floor=0.4) == 0.7


def test_where_few_are_strong_the_floor_is_the_cutoff():
    assert choose_cutoff([0.9, 0.3, 0.2], notes=100, cap=10, floor=0.4) == 0.4
    assert choose_cutoff([], notes=100, cap=10, floor=0.4) == 0.4


def test_equal_scores_are_proposed_together_or_not_at_all():
    assert choose_cutoff([0.9, 0.8, 0.8, 0.7], notes=20, cap=10, floor=0.4) == 0.9
    assert choose_cutoff([0.8, 0.8, 0.8], notes=20, cap=10, floor=0.4) > 0.8


@given(
    st.lists(st.floats(0, 1)),
    st.integers(0, 300),
    st.floats(0, 50),
    st.floats(0, 1),
)
def test_never_more_than_the_cap_never_below_the_floor(scores, notes, cap, floor):
    cutoff = choose_cutoff(scores, notes=notes, cap=cap, floor=floor)
    assert cutoff >= floor
    assert sum(score >= cutoff for score in scores) <= math.ceil(notes * cap / 100)
