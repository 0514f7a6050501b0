"""What was decided for the embedded judge, and by which rule; docs/embedded-judge.md tells how."""

from __future__ import annotations

from vaultgraph.judge.embedded.weights import Beliefs

#: The corpora it is trained on, and what each weighs when settings are compared: the third has
#: 16 dependencies in its train part.
CORPORA = {"eips": 1.0, "xeps": 1.0, "peps": 0.5}

#: In these, authors need not declare dependencies; only those who declared any are believed.
BELIEVES_LISTS_ONLY = frozenset({"xeps", "peps"})

#: Of these the largest whose score is within ``PENALTY_TIE`` of the best.
PENALTIES = (0.001, 0.003, 0.01, 0.03, 0.1)
PENALTY_TIE = 0.002

BELIEFS = Beliefs(
    # One such note in the train parts, of 53 targets: one is a dependency where the model expects
    # 26. In real vaults they are maps of contents.
    long_index=-2.0,
    # One such note in the train parts, of 12 targets, and 8 are dependencies: a list of what goes
    # into a release. In real vaults they are maps of contents too, so half as much.
    short_index=-1.0,
    # Of ten such rows in the train parts four are dependencies, no fewer than elsewhere; in the
    # study they were a quarter of the false alarms on closed notes.
    superseded=-1.0,
    # In the train parts 3 of 29 and 5 of 47 weaker directions are dependencies (EIPs, XEPs), where
    # models of the other two corpora expect 27 % and 21 %.
    weaker=-1.0,
    # 13 of 110 pairs in real vaults, 2 of 3,765 in the train parts: between the two, and below
    # nearly every note that does name the other.
    unnamed=0.05,
    unnamed_part=0.5,
    # Titles that merely occur: 1.7 % in the study.
    no_evidence=0.02,
)

#: What share of the pairs in which one note names the other are dependencies of that one, in the
#: 110 pairs from real vaults with an agreed answer. In the corpora it is up to twice that, and
#: precision with it, so precision is carried over to this share before it decides anything.
PERSONAL_RATE = 0.27
#: The corpora that decide: 16 dependencies among the PEPs' 488 train notes say nothing here.
DECIDING = ("eips", "xeps")
#: Proposals per hundred notes: the most whose precision reaches ``CAP_PRECISION``. A person looks
#: at each, so one for every five notes is as many as there may be.
CAPS = (5.0, 10.0, 15.0, 20.0)
CAP_PRECISION = 0.8
#: The lowest score to propose: the lowest from which on precision reaches ``FLOOR_PRECISION``.
FLOORS = (0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7)
FLOOR_PRECISION = 0.5
