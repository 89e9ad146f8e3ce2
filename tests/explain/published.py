"""What is printed elsewhere about the tables of `classics.py`, digit by digit, with its source.

`assert_prints(found, "4.124 1.839")` holds where every number found, rounded to as many digits as
are printed, is the printed one.
"""

from decimal import Decimal

import numpy as np

import eigenlens as el
from tests.explain.classics import DECATHLON, EVENTS


def assert_prints(found, printed, up_to_sign=False):
    """`up_to_sign`: a vector, whose sign no package promises."""
    texts = printed.split()
    exact = np.array([float(text) for text in texts])
    found = np.asarray(found, dtype=float)
    assert found.shape == exact.shape, f"{found.shape[0]} numbers found, {len(texts)} printed"
    half = np.array([0.5 * 10.0 ** Decimal(text).as_tuple().exponent for text in texts])
    slack = half * (1 + 1e-6)
    right = np.abs(found - exact) <= slack
    if up_to_sign and not right.all():
        right = np.abs(found + exact) <= slack
    assert right.all(), f"printed {printed}, found {found}"


def of(table, column, **chosen):
    """The entries of a column in the lines that hold all the chosen entries."""
    return [
        line[column]
        for line in table.lines()
        if all(line[name] == value for name, value in chosen.items())
    ]


def standardized(classic, k=None):
    given = classic.frame(10) if classic.columns[:10] == EVENTS else classic.frame()
    return el.fit(given, k or given.shape[1], scale="std")


def matched(found, printed):
    """Found entries with the signs of the printed ones, where every axis may be turned."""
    signs = np.sign([float(text) for text in printed.split()])
    return np.abs(found) * signs


# factoextra's README: the first 23 rows of its table decathlon2, which are these.
ACTIVE = [
    "SEBRLE", "CLAY", "BERNARD", "YURKOV", "ZSIVOCZKY", "McMULLEN", "MARTINEAU", "HERNU",
    "BARRAS", "NOOL", "BOURGUIGNON", "Sebrle", "Clay", "Karpov", "Macey", "Warners",
    "Zsivoczky", "Hernu", "Bernard", "Schwarzl", "Pogorelov", "Schoenbeck", "Barras",
]  # fmt: skip
DECATHLON2 = DECATHLON.only(ACTIVE)
DECATHLON2_EIGENVALUES = (
    "4.1242133 1.8385309 1.2391403 0.8194402 0.7015528 "
    "0.4228828 0.3025817 0.2744700 0.1552169 0.1219710"
)
DECATHLON2_PERCENT = "41.242 18.385 12.391 8.194 7.016"
X100M_COORD = "-0.8506257 -0.1793981 0.3015564 0.0335732 -0.1944440"
X100M_CONTRIB = "17.544293 1.7505098 7.338659 0.1375524 5.389252"
HIGH_JUMP_CONTRIB = "9.024811 11.7715838 8.792888 2.5498795 23.115504"
SEBRLE_COORD = "0.1955047 1.5890567 0.6424912 0.0838965 1.1682939"
BERNARD_COORD = "-1.3591340 1.6480950 0.2005584"
# The same analysis with supplementary rows and columns, as FactoMineR printed it under R 4.1:
# github.com/oktsadwikar/Multivariate-Analysis, chapter 5. Of rows: coord, cos2, dist.
OUTSIDE_ROWS = {
    "KARPOV": (
        "0.7947206 0.77951227 -1.6330203 1.7242283 -0.75070396",
        "0.05104677 4.911173e-02 0.21553730 0.24028620 0.0455487744",
        "3.517470",
    ),
    "WARNERS": (
        "-0.3864645 -0.12159237 -1.7387332 -0.7063341 -0.03230011",
        "0.02422707 2.398250e-03 0.49039677 0.08092862 0.0001692349",
        "2.482899",
    ),
    "Nool": (
        "-0.5591306 1.97748871 -0.4830358 -2.2784526 -0.25461493",
        "0.02897149 3.623868e-01 0.02162236 0.48108780 0.0060077529",
        "3.284943",
    ),
    "Drews": (
        "-1.1092038 0.01741477 -3.0488182 -1.5343468 -0.32642192",
        "0.09207094 2.269527e-05 0.69560547 0.17617609 0.0079736753",
        "3.655527",
    ),
}
# Of numbers: cor, cos2.
OUTSIDE_NUMBERS = {
    "Rank": (
        "-0.7014777 -0.24519443 -0.1834294 0.05575186 -0.07382647",
        "0.4920710 0.060120310 0.03364635 0.00310827 0.0054503477",
    ),
    "Points": (
        "0.9637075 0.07768262 0.1580225 -0.16623092 -0.03114711",
        "0.9287322 0.006034589 0.02497110 0.02763272 0.0009701427",
    ),
}
# Of categories: coord, cos2, v.test, dist; and eta2 of the competition.
OUTSIDE_CATEGORIES = {
    "Decastar": (
        "-1.343451 0.1218097 -0.03789524 0.1808357 0.1343364",
        "0.9051233 0.007440939 0.0007201669 0.01639956 0.009050062",
        "-2.970766 0.4034256 -0.1528767 0.8971036 0.7202457",
        "1.412108",
    ),
    "OlympicG": (
        "1.231497 -0.1116589 0.03473730 -0.1657661 -0.1231417",
        "0.9051233 0.007440939 0.0007201669 0.01639956 0.009050062",
        "2.970766 -0.4034256 0.1528767 -0.8971036 -0.7202457",
        "1.294433",
    ),
}
COMPETITION_ETA2 = "0.4011568 0.00739783 0.001062332 0.03658159 0.02357972"

# The whole table of 41 rows, as in FactoMineR's book; these digits recomputed with plain numpy.
DECATHLON_EIGENVALUES = (
    "3.271906 1.737131 1.404917 1.056850 0.684774 0.599269 0.451235 0.396877 0.214815 0.182227"
)
# coord, contrib, cos2, dist on the first axis
KARPOV_ON_ONE = "4.619987 15.910981 0.851755 5.005914"
SEBRLE_ON_ONE = "4.038449 12.157506 0.695410"
# As FactoMineR printed it: github.com/clemonster/decathlon-pca, decathlon_full_analysis.md.
# summary.PCA: coord, cos2, v.test on three axes, then dist
DECASTAR = ("-0.600 -0.038 0.289", "0.403 0.002 0.093", "-1.430 -0.123 1.050", "0.946")
OLYMPIC = ("0.279 0.017 -0.134", "0.403 0.002 0.093", "1.430 0.123 -1.050", "0.439")
# dimdesc: correlation and p-value of all that it shows (p < 0.05) on four axes
DESCRIBED = (
    {
        "Points": ("0.9561543", "2.099191e-22"),
        "Long.jump": ("0.7418997", "2.849886e-08"),
        "Shot.put": ("0.6225026", "1.388321e-05"),
        "High.jump": ("0.5719453", "9.362285e-05"),
        "Discus": ("0.5524665", "1.802220e-04"),
        "Rank": ("-0.6705104", "1.616348e-06"),
        "400m": ("-0.6796099", "1.028175e-06"),
        "110m.hurdle": ("-0.7462453", "2.136962e-08"),
        "100m": ("-0.7747198", "2.778467e-09"),
    },
    {
        "Discus": ("0.6063134", "2.650745e-05"),
        "Shot.put": ("0.5983033", "3.603567e-05"),
        "400m": ("0.5694378", "1.020941e-04"),
        "1500m": ("0.4742238", "1.734405e-03"),
        "High.jump": ("0.3502936", "2.475025e-02"),
        "Javeline": ("0.3169891", "4.344974e-02"),
        "Long.jump": ("-0.3454213", "2.696969e-02"),
    },
    {
        "1500m": ("0.7821428", "1.554450e-09"),
        "Pole.vault": ("0.6917567", "5.480172e-07"),
        "Javeline": ("-0.3896554", "1.179331e-02"),
    },
    {"Javeline": ("0.7122773", "1.761578e-07"), "Pole.vault": ("0.5515340", "1.857748e-04")},
)
# prince's README: the thirteen rows of the Decastar meeting only.
DECASTAR_EIGENVALUES, DECASTAR_PERCENT = (
    "3.114 2.027 1.390 1.321 0.861",
    "31.14 20.27 13.90 13.21 8.61",
)

# ISLR's laboratory and countless pages (prcomp with scale=TRUE, and without).
ARRESTS_DEVIATIONS = "1.5748783 0.9948694 0.5971291 0.4164494"
ARRESTS_SHARES = ".62006039 .24744129 .08914080 .04335752"
ARRESTS_ROTATION = (
    "-.5358995 -.5831836 -.2781909 -.5434321",
    ".4181809 .1879856 -.8728062 -.1673186",
)
ALABAMA = "0.9756604 1.1220012 0.4398037 0.1546966"
ARRESTS_RAW = "7011.114851 201.992366 42.112651 6.164246"

# MATLAB's page of `pca`; also in the tests of GNU Octave's statistics package (pcacov).
HALD_LATENT = "517.7969 67.4964 12.4054 0.2372"
HALD_COEFF = (
    "0.0678 0.6785 -0.0290 -0.7309",
    "-0.6460 -0.0200 0.7553 -0.1085",
    "0.5673 -0.5440 0.4036 -0.4684",
    "0.5062 0.4933 0.5156 0.4844",
)
HALD_SCALED = "2.2357 1.5761 0.1866 0.0016"

# NAG's example of g03aa, and NIST/SEMATECH 6.5.5.2 (its communalities recomputed with numpy).
NAG_EIGENVALUES, NAG_SHARES = "8.2739 3.6761 0.7499", "0.6515 0.2895 0.0590"
NAG_VECTORS = ("-0.1376 -0.2505 0.9583", "0.6990 0.6609 0.2731")
NAG_SCORES = ("-2.151 -0.173 0.107", "3.804 -2.887 0.510")
NIST_EIGENVALUES, NIST_COMMUNALITIES = "1.7688 0.9271 0.3041", "0.8662 0.8420 0.9876"

# Wold, Esbensen and Geladi 1987, autoscaled (a swapped digit in the quoted -.2075 put right).
WOLD_VECTORS = ("0.5410 0.3493 0.5410 0.5410", "-0.2017 0.9370 -0.2017 -0.2017")
WOLD_SCORES = ("-1.6229 -0.3493 1.9723", "0.6051 -0.9370 0.3319")
WOLD_SHARES = "0.831 0.169"
WOLD_NEW = [[3, 4, 3, 4], [1, 2, 3, 4]]
WOLD_NEW_SCORES = ("-0.2705 0.1008", "-2.0511 -1.3698")

# Everitt and Hothorn, A Handbook of Statistical Analyses Using R.
HEPTATHLON_DEVIATIONS = "2.1119364 1.0928497 .7218131 .6761411 .4952441 .2701029 .2213617"

# SAS/STAT, PROC PRINCOMP, Getting Started; the rows in `records.py` are those printed there.
CRIME_EIGENVALUES = "4.11495951 1.23872183 0.72581663 0.31643205 0.25797446 0.22203947 0.12405606"
CRIME_VECTORS = (
    "0.300279 0.431759 0.396875 0.396652 0.440157 0.357360 0.295177",
    "0.629174 0.169435 -.042247 0.343528 -.203341 -.402319 -.502421",
)

# Stata's page of pca: eight variables of the 69 cars without gaps, then three of all 74.
AUTO_EIGENVALUES = "4.7823 1.2675 .837857 .439668 .372638 .161844 .109731 .0284659"
AUTO_VECTOR = "0.2324 -0.3897 -0.2368 0.2560 0.4435 0.4298 0.4304 -0.3254"
AUTO_THREE, AUTO_THREE_VECTOR = "2.70121 .24504 .05375", "-.55448 .58965 .58726"

# factor_analyzer 0.5 on the loadings of three components of DECATHLON: varimax with Kaiser's
# weights, the others without, as it has it. Signs and order of columns are ours.
DECATHLON_ROTATED = {
    "varimax": (
        "0.7644 -0.8252 -0.1745 -0.2387 0.8559 0.7517 -0.1216 -0.2359 0.0022 0.2047",
        "-0.2611 0.1160 0.8396 0.6537 0.0438 -0.2277 0.7942 -0.2375 0.4811 0.2086",
        "-0.1295 0.0925 0.1034 -0.1814 0.2624 -0.0311 0.1707 0.6337 -0.3124 0.8687",
    ),
    "quartimax": (
        "0.7697 -0.8284 -0.1835 -0.2380 0.8475 0.7539 -0.1323 -0.2528 0.0080 0.1775",
        "-0.2544 0.1093 0.8372 0.6540 0.0467 -0.2221 0.7914 -0.2461 0.4846 0.2004",
        "-0.1096 0.0693 0.1073 -0.1813 0.2882 -0.0113 0.1756 0.6238 -0.3070 0.8765",
    ),
    "oblimin": (
        "0.7541 -0.8297 -0.0874 -0.1524 0.8523 0.7376 -0.0442 -0.3147 0.0817 0.1655",
        "-0.1906 0.0404 0.8324 0.6590 0.0981 -0.1651 0.7856 -0.3101 0.5139 0.1644",
        "-0.1232 0.0905 0.0788 -0.2022 0.2620 -0.0252 0.1478 0.6454 -0.3291 0.8680",
    ),
}
OBLIMIN_CORRELATIONS = "-0.194397 0.059421 0.090064"
