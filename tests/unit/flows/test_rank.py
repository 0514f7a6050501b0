"""The embedded judge in a vault: the strongest few count, and the cutoff stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.kit.judge_server import QUESTIONS
from tests.kit.judging import BRIDGE, FILES, LAUNCH, PAIRS, STEEL
from tests.kit.vaults import write_file
from tests.kit.writing import ledger_events, old_vault, writing_context
from vaultgraph.effects.cache_folder import open_cache
from vaultgraph.effects.score_cache import ScoreCache
from vaultgraph.errors import InputError
from vaultgraph.flows.judge import JudgeOptions
from vaultgraph.flows.rank import Ranking, rank_pairs
from vaultgraph.judge.embedded.judge import EmbeddedJudge

if TYPE_CHECKING:
    from pathlib import Path

#: Each links to the one before it, the first ones the more.
CHAIN = {
    f"Note {number:02}.md": (
        "# Design\n\n" + f"Based on [[Note {number - 1:02}]]. " * (40 - number) + "\n"
        if number
        else "The first.\n"
    )
    for number in range(30)
}


class Scores:
    """Keeps scores in memory, as the cache would."""

    def __init__(self) -> None:
        self.model = ""
        self.kept: dict = {}
        self.writes = 0

    def read(self, model):
        return dict(self.kept) if model == self.model else {}

    def write(self, model, scores):
        self.model, self.kept = model, dict(scores)
        self.writes += 1


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return old_vault(tmp_path / "vault", CHAIN)


def rank(vault: Path, scores: Scores | None = None, judge=None, **options) -> Ranking:
    flags = {name: options.pop(name) for name in ("recut", "dry_run") if name in options}
    return rank_pairs(
        writing_context(vault),
        judge or EmbeddedJudge(),
        QUESTIONS,
        scores or Scores(),
        JudgeOptions(**options),
        progress=lambda _done, _of: None,
        **flags,
    )


def cutoffs(vault: Path) -> list[dict]:
    return [row["payload"] for row in ledger_events(vault) if row["event"] == "cutoff"]


def recorded(vault: Path) -> list[tuple[str, str]]:
    found = [row["payload"] for row in ledger_events(vault) if row["event"] == "verdict"]
    return [(row["first"], row["second"]) for row in found]


def proposable(ranking: Ranking) -> int:
    return sum(
        score >= ranking.cutoff
        for verdict in ranking.verdicts
        for score in (verdict.first_depends, verdict.second_depends)
    )


def test_the_first_run_sets_the_cutoff_at_the_cap(vault):
    ranking = rank(vault)
    assert len(ranking.verdicts) == ranking.scored == 29
    assert (ranking.notes, ranking.cap, ranking.floor) == (30, 20.0, 0.35)
    assert ranking.is_new_cutoff
    # 20 for a hundred notes are 6 for 30.
    assert proposable(ranking) == 6
    strongest = sorted((v.second_depends for v in ranking.verdicts), reverse=True)
    assert ranking.cutoff == strongest[5]
    assert cutoffs(vault) == [
        {
            "judge": "embedded",
            "model": EmbeddedJudge().model,
            "cutoff": ranking.cutoff,
            "floor": 0.35,
            "notes": 30,
        }
    ]


def test_only_what_reaches_the_floor_is_recorded(vault):
    weak = "".join(f"Such as [[Note {number:02}]] or others. " for number in range(2, 30))
    write_file(vault / "Some Index.md", "## References\n\n" + "word " * 3000 + weak)
    ranking = rank(vault)
    strong = [v for v in ranking.verdicts if max(v.first_depends, v.second_depends) >= 0.35]
    assert 0 < len(strong) < len(ranking.verdicts)
    assert recorded(vault) == [(v.first, v.second) for v in strong]
    assert ranking.recorded == len(strong)


def test_a_second_run_records_nothing_and_proposes_no_more(vault):
    scores = Scores()
    first = rank(vault, scores)
    before = ledger_events(vault)
    second = rank(vault, scores)
    assert (second.scored, second.recorded, second.is_new_cutoff) == (0, 0, False)
    assert second.cutoff == first.cutoff
    assert second.verdicts == first.verdicts
    assert ledger_events(vault) == before
    # Without the kept scores it comes to the same.
    assert rank(vault).verdicts == first.verdicts
    assert ledger_events(vault) == before


def test_a_new_note_changes_no_others_fate(vault):
    scores = Scores()
    first = rank(vault, scores)
    write_file(vault / "Note 30.md", "# Design\n\n" + "Based on [[Note 29]]. " * 60)
    second = rank(vault, scores)
    assert second.scored == 1
    assert second.cutoff == first.cutoff
    assert second.verdicts[:-1] == first.verdicts
    assert proposable(second) == 7


def test_a_changed_body_is_scored_anew_and_what_counted_is_taken_back(vault):
    scores = Scores()
    rank(vault, scores)
    write_file(vault / "Note 01.md", "word " * 2000 + "Such as [[Note 00]].\n")
    second = rank(vault, scores)
    assert (second.scored, second.recorded) == (2, 2)
    assert recorded(vault)[-2] == ("Note 00.md", "Note 01.md")
    assert ledger_events(vault)[-2]["payload"]["second_depends"] < 0.35


def test_recut_sets_the_cutoff_anew(vault):
    scores = Scores()
    first = rank(vault, scores)
    for number in range(30, 60):
        write_file(
            vault / f"Note {number}.md", "# Design\n\n" + f"Based on [[Note {number - 1}]]. " * 60
        )
    grown = rank(vault, scores)
    assert grown.cutoff == first.cutoff
    recut = rank(vault, scores, recut=True)
    assert recut.is_new_cutoff
    assert recut.cutoff > first.cutoff
    # 20 for a hundred notes are 12 for 60; equal scores are left out together.
    assert proposable(recut) <= 12
    assert [row["cutoff"] for row in cutoffs(vault)] == [first.cutoff, recut.cutoff]
    assert rank(vault, scores).cutoff == recut.cutoff


def test_a_part_of_the_vault_sets_no_cutoff_and_records_nothing(vault):
    for options in ({"limit": 3}, {"only": "Note 05"}):
        ranking = rank(vault, **options)
        assert not ranking.has_cutoff
        assert not ranking.is_new_cutoff
        assert ranking.cutoff == ranking.floor
    assert ledger_events(vault) == []
    rank(vault)
    assert rank(vault, only="Note 05").has_cutoff


def test_limit_counts_what_has_no_score_yet(vault):
    scores = Scores()
    for done in (10, 20):
        ranking = rank(vault, scores, limit=10)
        assert (ranking.scored, len(ranking.verdicts), ranking.held_back) == (10, done, 29 - done)
    last = rank(vault, scores, limit=10)
    # With that, all of the vault is known.
    assert (last.scored, last.held_back, last.is_new_cutoff) == (9, 0, True)


def test_only_keeps_the_others_scores(vault):
    scores = Scores()
    rank(vault, scores)
    write_file(vault / "Note 05.md", "Based on [[Note 04]].\n")
    ranking = rank(vault, scores, only="Note 05")
    assert [(v.first, v.second) for v in ranking.verdicts] == [
        ("Note 04.md", "Note 05.md"),
        ("Note 05.md", "Note 06.md"),
    ]
    assert ranking.scored == 2
    assert rank(vault, scores).scored == 0
    with pytest.raises(InputError, match="no note is called Note 99"):
        rank(vault, only="Note 99")


def test_with_kept_scores_it_comes_to_the_same_also_where_names_change(vault):
    scores = Scores()
    write_file(vault / "Note 03.md", f"Based on [[Note 02]], after the harbour plan. {'w ' * 300}")
    before = rank(vault, scores)
    # Both bodies stay: an alias makes words of the other one's text a mention.
    aliased = f"---\naliases: [Harbour Plan]\n---\n{CHAIN['Note 02.md']}"
    write_file(vault / "Note 02.md", aliased)
    after = rank(vault, scores)
    assert after.verdicts != before.verdicts
    assert after.verdicts == rank(vault).verdicts


def test_scores_of_texts_that_are_gone_are_not_kept(vault):
    scores = Scores()
    rank(vault, scores)
    write_file(vault / "Note 05.md", "Based on [[Note 04]].\n")
    rank(vault, scores)
    assert len(scores.kept) == 29


def test_a_dry_run_records_nothing(vault):
    ranking = rank(vault, dry_run=True)
    assert (ranking.is_new_cutoff, ranking.recorded > 0) == (True, True)
    assert ledger_events(vault) == []


def test_cap_and_floor_of_the_configuration(vault):
    write_file(vault / ".vaultgraph/config.toml", "[judge]\ncap = 10\nfloor = 0.6\n")
    ranking = rank(vault)
    assert (ranking.cap, ranking.floor) == (10.0, 0.6)
    assert proposable(ranking) == 3
    write_file(vault / ".vaultgraph/config.toml", "[judge]\ncap = 100\nfloor = 0.6\n")
    recut = rank(vault, recut=True)
    assert recut.cutoff >= 0.6
    assert proposable(recut) == sum(v.second_depends >= 0.6 for v in recut.verdicts)


def test_another_base_rate_is_another_model_and_keeps_the_order(vault):
    scores = Scores()
    usual = rank(vault, scores)
    rare = rank(vault, scores, judge=EmbeddedJudge(prior=0.05))
    assert rare.scored == 29
    assert {v.model for v in rare.verdicts} == {f"{EmbeddedJudge().model}-prior-0.05"}
    for low, high in zip(rare.verdicts, usual.verdicts, strict=True):
        assert low.second_depends < high.second_depends

    def order(ranking):
        return [v.second for v in sorted(ranking.verdicts, key=lambda v: v.second_depends)]

    assert order(rare) == order(usual)


def test_private_notes_and_records_are_not_scored(tmp_path):
    vault = old_vault(tmp_path / "small", FILES)
    ranking = rank(vault)
    assert [(v.first, v.second) for v in ranking.verdicts] == PAIRS
    assert ranking.notes == 4
    depends: dict[tuple[str, str], float] = {
        (dependent, basis): score
        for v in ranking.verdicts
        for dependent, basis, score in (
            (v.first, v.second, v.first_depends),
            (v.second, v.first, v.second_depends),
        )
    }
    assert depends[LAUNCH, BRIDGE] > depends[BRIDGE, LAUNCH]
    assert depends[BRIDGE, STEEL] > depends[STEEL, BRIDGE]


def test_the_real_cache_gives_the_scores_back(vault, tmp_path):
    def scores():
        return ScoreCache(lambda: open_cache(tmp_path / "cache", "scores"))

    first = rank(vault, scores())
    second = rank(vault, scores())
    assert (first.scored, second.scored) == (29, 0)
    assert second.verdicts == first.verdicts
