"""The words of the project, as frozen values.

Note:
    A Markdown file in the vault; its id is its vault-relative POSIX path, in Unicode form NFC.
title, alias, name
    The file name without ``.md``; another name from the property ``aliases``; either of them.
link
    What is written: ``[[…]]``, ``![[…]]``, ``[…](…)``, or a property whose value is one. It is
    *resolved* where it reaches a note by Obsidian's rule.
mention
    A name in running text, outside links, code, comments and addresses.
evidence
    The links and mentions that made a pair, each with its line.
candidate pair
    An unordered pair of notes with evidence; ``first`` < ``second`` by id.
dependent, basis
    The two ends of a dependency: if the basis changed or stopped being true, the dependent
    would need updating.
entry
    One link in ``depends-on-proposed``, ``depends-on`` or ``depends-on-rejected``: a proposal,
    a dependency, a rejection.
closed, live
    A closed note has ended: by its status, ``resolved-to``, ``superseded-by``, ``archived: true``
    or an archive folder. Every other note is live.
superseded, ended
    The two ways to be closed: the subject lives on in another form, or it is over.
record
    A daily note, meeting note or log: it says what was true then, cannot go stale, and makes no
    pair.
private
    A note that never leaves this machine in any form; it counts, and nothing more.
problem
    What is wrong with one note; it never stops a run.
survey
    All that a scan found, as columns of numbers over one list of notes.
"""

from __future__ import annotations
