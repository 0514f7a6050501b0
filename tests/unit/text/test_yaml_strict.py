"""What libyaml reads and Obsidian's parser does not, or (``x - y``) reads as something else.

Each shape was run through npm yaml 2.7.0. tests/data/edit_cases.json holds both editors to the
commonest of them.
"""

from __future__ import annotations

import pytest

from vaultgraph.text.yaml_block import BlockError, compose_block, value_of

TIGHT = "a comment without a space before it"
LEFT = "a line that is not indented enough"


@pytest.mark.parametrize(
    ("block", "text", "line"),
    [
        ('a: "x"#c\nb: 1\n', TIGHT, 0),
        ("a: [x]#c\nb: 1\n", TIGHT, 0),
        ("b: 1\na: {x: 1}#c\n", TIGHT, 1),
        ("a: [#c\n  x]\n", TIGHT, 0),
        ('a: {"x":#c\n 1}\n', TIGHT, 0),
        ("a:\n  k: 'x'#c\n  l: 2\n", TIGHT, 1),
        ("a: >-#c\n  x\n", TIGHT, 0),
        ("# top\na: # mine\n  - [x]#c\n", TIGHT, 2),
        ('a: "x\ny"\n', LEFT, 1),
        ("a: 'x\n\n\ty'\n", LEFT, 2),
        ('a:\n- k: "x\n  y"\n', LEFT, 2),
        ('a:\n  - - "x\n    y"\n', LEFT, 2),
        ("  a: [x,\n  y]\n  b: 1\n", LEFT, 1),
        ('a: [x, "y\nz"]\n', LEFT, 1),
        ('a: [x, "y\n  z",\n"#1"]\n', LEFT, 2),
        ("a: [[x\n], y]\n", LEFT, 1),
        ("a: {x: [y],\nz: 1}\n", LEFT, 1),
        ("a:\n|\n  x\n", LEFT, 1),
        ("a:\n#t\n  x\nb: 1\n", LEFT, 3),
        ("a: # c\n\n#t\n # u\n  x\n  y\n\nb: 1\n", LEFT, 7),
        ("a:\n#t\n  &x y\nb: 1\n", LEFT, 3),
        ("a:\n  -\n #t\n    x\n  - y\n", LEFT, 4),
        ("a:\n#t\n  |\nb: 1\n", LEFT, 2),
    ],
)
def test_refused(block: str, text: str, line: int):
    for written in (block, block.replace("\n", "\r\n")):
        with pytest.raises(BlockError) as caught:
            compose_block(written)
        assert (caught.value.text, caught.value.line) == (text, line)


@pytest.mark.parametrize(
    ("block", "value"),
    [
        ('a: "x" #c\nb: x#c\nc: "x#c"\n', {"a": "x", "b": "x#c", "c": "x#c"}),
        ("a: |\n  x\n  [y]#z\n", {"a": "x\n[y]#z\n"}),
        ("a: [x, # c\n  y]\n", {"a": ["x", "y"]}),
        ("a: [x,\n#c\n  y\n]\n", {"a": ["x", "y"]}),
        ("a: {x: 1\n}\nb: 1\n", {"a": {"x": 1}, "b": 1}),
        ('a:\n- "x\n y"\n', {"a": ["x y"]}),
        ("a: 'x\n\n y'\n", {"a": "x\ny"}),
        ('a:\n#t\n  "x\ny"\nb: 1\n', {"a": "x y", "b": 1}),
        ("a:\n#t\n  x\n", {"a": "x"}),
        ("a:\n#t\n  x\n# u\nb: 1\n", {"a": "x", "b": 1}),
        ("a:\n#t\n  x # u\nb: 1\n", {"a": "x", "b": 1}),
        ("a:\n# t\n  x\nb: 1\n", {"a": "x", "b": 1}),
        ("a:\n#t\n  k: x\nb: 1\n", {"a": {"k": "x"}, "b": 1}),
        ("a:\n  k:\n  #t\n    x\nb: 1\n", {"a": {"k": "x"}, "b": 1}),
        ("a: &x [y,\n  z]\nb: *x\n", {"a": ["y", "z"], "b": ["y", "z"]}),
        ("a: &x\n- y\n- 'z\n w'\n", {"a": ["y", "z w"]}),
    ],
)
def test_read(block: str, value: object):
    for written in (block, block.replace("\n", "\r\n")):
        root = compose_block(written)
        assert root is not None
        assert value_of(root) == value


def test_long_and_deep_ones_are_read():
    texts = ",\n ".join(f'"x\n {n}"' for n in range(5000))
    block = f"a: [{texts}]\nb: {'[' * 200}\n {']' * 200}\n"
    root = compose_block(block)
    assert root is not None
    assert len(root.value[0][1].value) == 5000
