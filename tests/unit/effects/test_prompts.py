from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from vaultgraph.effects.prompts import read_question_set
from vaultgraph.errors import InputError

OURS = (Path(__file__).parents[3] / "prompts" / "depends.v1.toml").read_bytes()


def test_ours_is_found_without_a_vault_and_in_one(make_vault):
    vault = make_vault({"a.md": ""})
    for found in (read_question_set("depends.v1"), read_question_set("depends.v1", vault)):
        assert found.hash == sha256(OURS).hexdigest()


def test_the_vaults_own_set_hides_ours_and_has_its_own_hash(make_vault):
    own = OURS.replace(b"would need updating", b"would need rewriting")
    vault = make_vault({".vaultgraph/prompts/depends.v1.toml": own})
    found = read_question_set("depends.v1", vault)
    assert found.hash == sha256(own).hexdigest()
    assert "rewriting" in found.first_on_second.yes


def test_a_set_of_the_vaults_own_name(make_vault):
    own = OURS.replace(b'"depends"', b'"rests"')
    vault = make_vault(
        {".vaultgraph/prompts/rests.v1.toml": own, ".vaultgraph/prompts/x.toml": ""}
    )
    assert read_question_set("rests.v1", vault).id == "rests.v1"
    with pytest.raises(InputError) as caught:
        read_question_set("other.v1", vault)
    assert caught.value.hint == "there are: depends.v1, rests.v1"


@pytest.mark.parametrize("name", ["../depends.v1", "depends", "/etc/passwd", ""])
def test_a_name_is_no_path(name):
    with pytest.raises(InputError, match="not the name"):
        read_question_set(name)


def test_a_set_that_cannot_be_read(make_vault):
    vault = make_vault({".vaultgraph/prompts/depends.v1.toml/x": ""})
    with pytest.raises(InputError, match=r"depends\.v1 cannot be read"):
        read_question_set("depends.v1", vault)
