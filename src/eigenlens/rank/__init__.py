"""Rank: how many components to keep. One rule per file; each says why.

Promises     a rule looks at the part of the spectrum that is known and answers with a `Verdict`, or
             says that it must see more; it never guesses what it has not seen. Each names the
             question it answers and what it assumes about the noise.
Knows        leading eigenvalues with bounds, the total variance, the columns' variances; two rules
             (`parallel`, `bcv`) look at the rows themselves.
Knows not    models, certificates' words, files.
One more     a file with a frozen dataclass that has `name`, `question`, `assumes`, `first_guess`,
             `choose` and `out_of_reach`, and a row in `catalogue.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from eigenlens.lazy import make_lazy

# Public name -> its file, loaded on first use.
HOMES = {
    "BCV": "eigenlens.rank.bcv",
    "DPA": "eigenlens.rank.dpa",
    "GCV": "eigenlens.rank.gcv",
    "Automatic": "eigenlens.rank.automatic",
    "BaiNg": "eigenlens.rank.bai_ng",
    "BrokenStick": "eigenlens.rank.broken_stick",
    "Fraction": "eigenlens.rank.fraction",
    "Frobenius": "eigenlens.rank.frobenius",
    "Gap": "eigenlens.rank.gap",
    "GavishDonoho": "eigenlens.rank.gavish_donoho",
    "Kaiser": "eigenlens.rank.kaiser",
    "KritchmanNadler": "eigenlens.rank.kritchman_nadler",
    "Minka": "eigenlens.rank.minka",
    "Parallel": "eigenlens.rank.parallel",
    "RankReport": "eigenlens.rank.report",
    "Rule": "eigenlens.rank.rule",
    "ScreeNOT": "eigenlens.rank.screenot",
    "SmallTable": "eigenlens.rank.small_table",
}

__all__ = sorted(HOMES)

make_lazy(__name__)

if TYPE_CHECKING:
    from eigenlens.rank.automatic import Automatic as Automatic
    from eigenlens.rank.bai_ng import BaiNg as BaiNg
    from eigenlens.rank.bcv import BCV as BCV
    from eigenlens.rank.broken_stick import BrokenStick as BrokenStick
    from eigenlens.rank.dpa import DPA as DPA
    from eigenlens.rank.fraction import Fraction as Fraction
    from eigenlens.rank.frobenius import Frobenius as Frobenius
    from eigenlens.rank.gap import Gap as Gap
    from eigenlens.rank.gavish_donoho import GavishDonoho as GavishDonoho
    from eigenlens.rank.gcv import GCV as GCV
    from eigenlens.rank.kaiser import Kaiser as Kaiser
    from eigenlens.rank.kritchman_nadler import KritchmanNadler as KritchmanNadler
    from eigenlens.rank.minka import Minka as Minka
    from eigenlens.rank.parallel import Parallel as Parallel
    from eigenlens.rank.report import RankReport as RankReport
    from eigenlens.rank.rule import Rule as Rule
    from eigenlens.rank.screenot import ScreeNOT as ScreeNOT
    from eigenlens.rank.small_table import SmallTable as SmallTable
