"""Pictures: well formed, in scale, and the same each time."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from vaultgraph.audit.calibration import Labelled, find_reliability
from vaultgraph.audit.estimates import Estimate
from vaultgraph.audit.pictures import interval_picture, reliability_picture

SVG = "{http://www.w3.org/2000/svg}"


def parts(text: str, tag: str, kind: str) -> list[dict[str, str]]:
    tree = ET.fromstring(text)
    return [each.attrib for each in tree.iter(f"{SVG}{tag}") if each.get("class") == kind]


def test_reliability_has_a_dot_for_each_bin_that_holds_labels():
    rows = [Labelled(0.85, True), Labelled(0.85, True), Labelled(0.25, False)]
    found = find_reliability(rows, 0.95)
    assert found is not None
    text = reliability_picture("embedded <1>", found, 0.7, 0.95)
    dots = parts(text, "circle", "dot")
    assert [(dot["cx"], dot["cy"]) for dot in dots] == [("146.0", "400.0"), ("362.0", "40.0")]
    assert float(dots[1]["r"]) > float(dots[0]["r"])
    assert parts(text, "line", "rule")[0]["x1"] == "308.0"
    assert "embedded &lt;1&gt;" in text
    assert text == reliability_picture("embedded <1>", found, 0.7, 0.95)
    assert not parts(reliability_picture("x", found, None, 0.95), "line", "rule")


def test_intervals_stand_on_one_scale():
    share = Estimate("share(stale)", 0.65, 0.433, 0.819, 20, 34, 0.95, "Wilson score")
    nothing = Estimate("recall", None, None, None, 0, 34, 0.95, "nothing counted")
    text = interval_picture("Audit plans (staleness)", [(share, 0.5), (nothing, None)])
    (line,) = parts(text, "line", "interval")
    assert (line["x1"], line["x2"]) == ("445.9", "584.8")
    assert parts(text, "circle", "dot")[0]["cx"] == "524.0"
    assert parts(text, "line", "rule")[0]["x1"] == "470.0"
    assert "n = 20 of 34, 95% interval, rule at 0.5" in text


def test_a_picture_of_nothing_is_a_picture():
    assert ET.fromstring(interval_picture("x", [])).tag == f"{SVG}svg"
