"""Small public tables, typed in: sports results and official statistics, facts that nobody owns.

Each is text, a row per line, with its name first; `Classic` reads it. What is published about them
is in `published.py`.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Classic:
    """A table of numbers; a last column of words, if there is one, is in `groups`."""

    columns: tuple[str, ...]
    text: str

    @property
    def lines(self):
        return [line.split(",") for line in self.text.split("\n") if line]

    @property
    def names(self):
        return [line[0] for line in self.lines]

    @property
    def rows(self):
        return np.array([line[1 : len(self.columns) + 1] for line in self.lines], dtype=float)

    @property
    def groups(self):
        return [line[-1] for line in self.lines]

    def __getitem__(self, column):
        return self.rows[:, self.columns.index(column)]

    def only(self, names):
        """The rows of these names, in this order."""
        kept = {line.split(",")[0]: line for line in self.text.split("\n") if line}
        return Classic(self.columns, "\n".join(kept[name] for name in names))

    def frame(self, count=None):
        """A pandas frame of the first `count` columns, with the names as its index."""
        import pandas

        table = pandas.DataFrame(self.rows, index=self.names, columns=list(self.columns))
        return table.iloc[:, :count]


EVENTS = (
    "100m", "Long.jump", "Shot.put", "High.jump", "400m",
    "110m.hurdle", "Discus", "Pole.vault", "Javeline", "1500m",
)  # fmt: skip

# Two meetings of 2004: ten events, then rank and points, then the competition.
DECATHLON = Classic(
    (*EVENTS, "Rank", "Points"),
    """
SEBRLE,11.04,7.58,14.83,2.07,49.81,14.69,43.75,5.02,63.19,291.7,1,8217,Decastar
CLAY,10.76,7.4,14.26,1.86,49.37,14.05,50.72,4.92,60.15,301.5,2,8122,Decastar
KARPOV,11.02,7.3,14.77,2.04,48.37,14.09,48.95,4.92,50.31,300.2,3,8099,Decastar
BERNARD,11.02,7.23,14.25,1.92,48.93,14.99,40.87,5.32,62.77,280.1,4,8067,Decastar
YURKOV,11.34,7.09,15.19,2.1,50.42,15.31,46.26,4.72,63.44,276.4,5,8036,Decastar
WARNERS,11.11,7.6,14.31,1.98,48.68,14.23,41.1,4.92,51.77,278.1,6,8030,Decastar
ZSIVOCZKY,11.13,7.3,13.48,2.01,48.62,14.17,45.67,4.42,55.37,268.0,7,8004,Decastar
McMULLEN,10.83,7.31,13.76,2.13,49.91,14.38,44.41,4.42,56.37,285.1,8,7995,Decastar
MARTINEAU,11.64,6.81,14.57,1.95,50.14,14.93,47.6,4.92,52.33,262.1,9,7802,Decastar
HERNU,11.37,7.56,14.41,1.86,51.1,15.06,44.99,4.82,57.19,285.1,10,7733,Decastar
BARRAS,11.33,6.97,14.09,1.95,49.48,14.48,42.1,4.72,55.4,282.0,11,7708,Decastar
NOOL,11.33,7.27,12.68,1.98,49.2,15.29,37.92,4.62,57.44,266.6,12,7651,Decastar
BOURGUIGNON,11.36,6.8,13.46,1.86,51.16,15.67,40.49,5.02,54.68,291.7,13,7313,Decastar
Sebrle,10.85,7.84,16.36,2.12,48.36,14.05,48.72,5.0,70.52,280.01,1,8893,OlympicG
Clay,10.44,7.96,15.23,2.06,49.19,14.13,50.11,4.9,69.71,282.0,2,8820,OlympicG
Karpov,10.5,7.81,15.93,2.09,46.81,13.97,51.65,4.6,55.54,278.11,3,8725,OlympicG
Macey,10.89,7.47,15.73,2.15,48.97,14.56,48.34,4.4,58.46,265.42,4,8414,OlympicG
Warners,10.62,7.74,14.48,1.97,47.97,14.01,43.73,4.9,55.39,278.05,5,8343,OlympicG
Zsivoczky,10.91,7.14,15.31,2.12,49.4,14.95,45.62,4.7,63.45,269.54,6,8287,OlympicG
Hernu,10.97,7.19,14.65,2.03,48.73,14.25,44.72,4.8,57.76,264.35,7,8237,OlympicG
Nool,10.8,7.53,14.26,1.88,48.81,14.8,42.05,5.4,61.33,276.33,8,8235,OlympicG
Bernard,10.69,7.48,14.8,2.12,49.13,14.17,44.75,4.4,55.27,276.31,9,8225,OlympicG
Schwarzl,10.98,7.49,14.01,1.94,49.76,14.25,42.43,5.1,56.32,273.56,10,8102,OlympicG
Pogorelov,10.95,7.31,15.1,2.06,50.79,14.21,44.6,5.0,53.45,287.63,11,8084,OlympicG
Schoenbeck,10.9,7.3,14.77,1.88,50.3,14.34,44.41,5.0,60.89,278.82,12,8077,OlympicG
Barras,11.14,6.99,14.91,1.94,49.41,14.37,44.83,4.6,64.55,267.09,13,8067,OlympicG
Smith,10.85,6.81,15.24,1.91,49.27,14.01,49.02,4.2,61.52,272.74,14,8023,OlympicG
Averyanov,10.55,7.34,14.44,1.94,49.72,14.39,39.88,4.8,54.51,271.02,15,8021,OlympicG
Ojaniemi,10.68,7.5,14.97,1.94,49.12,15.01,40.35,4.6,59.26,275.71,16,8006,OlympicG
Smirnov,10.89,7.07,13.88,1.94,49.11,14.77,42.47,4.7,60.88,263.31,17,7993,OlympicG
Qi,11.06,7.34,13.55,1.97,49.65,14.78,45.13,4.5,60.79,272.63,18,7934,OlympicG
Drews,10.87,7.38,13.07,1.88,48.51,14.01,40.11,5.0,51.53,274.21,19,7926,OlympicG
Parkhomenko,11.14,6.61,15.69,2.03,51.04,14.88,41.9,4.8,65.82,277.94,20,7918,OlympicG
Terek,10.92,6.94,15.15,1.94,49.56,15.12,45.62,5.3,50.62,290.36,21,7893,OlympicG
Gomez,11.08,7.26,14.57,1.85,48.61,14.41,40.95,4.4,60.71,269.7,22,7865,OlympicG
Turi,11.08,6.91,13.62,2.03,51.67,14.26,39.83,4.8,59.34,290.01,23,7708,OlympicG
Lorenzo,11.1,7.03,13.22,1.85,49.34,15.38,40.22,4.5,58.36,263.08,24,7592,OlympicG
Karlivans,11.33,7.26,13.3,1.97,50.54,14.98,43.34,4.5,52.92,278.67,25,7583,OlympicG
Korkizoglou,10.86,7.07,14.81,1.94,51.16,14.96,46.07,4.7,53.05,317.0,26,7573,OlympicG
Uldal,11.23,6.99,13.53,1.85,50.95,15.09,43.01,4.5,60.0,281.7,27,7495,OlympicG
Casarsa,11.36,6.68,14.92,1.94,53.2,15.39,48.66,4.4,58.62,296.12,28,7404,OlympicG
""",
)

# Seoul 1988; the three running events are not reversed here.
HEPTATHLON = Classic(
    ("hurdles", "highjump", "shot", "run200m", "longjump", "javelin", "run800m"),
    """
Joyner-Kersee,12.69,1.86,15.80,22.56,7.27,45.66,128.51
John,12.85,1.80,16.23,23.65,6.71,42.56,126.12
Behmer,13.20,1.83,14.20,23.10,6.68,44.54,124.20
Sablovskaite,13.61,1.80,15.23,23.92,6.25,42.78,132.24
Choubenkova,13.51,1.74,14.76,23.93,6.32,47.46,127.90
Schulz,13.75,1.83,13.50,24.65,6.33,42.82,125.79
Fleming,13.38,1.80,12.88,23.59,6.37,40.28,132.54
Greiner,13.55,1.80,14.13,24.48,6.47,38.00,133.65
Lajbnerova,13.63,1.83,14.28,24.86,6.11,42.20,136.05
Bouraga,13.25,1.77,12.62,23.59,6.28,39.06,134.74
Wijnsma,13.75,1.86,13.01,25.03,6.34,37.86,131.49
Dimitrova,13.24,1.80,12.88,23.59,6.37,40.28,132.54
Scheider,13.85,1.86,11.58,24.87,6.05,47.50,134.93
Braun,13.71,1.83,13.16,24.78,6.12,44.58,142.82
Ruotsalainen,13.79,1.80,12.32,24.61,6.08,45.44,137.06
Yuping,13.93,1.86,14.21,25.00,6.40,38.60,146.67
Hagger,13.47,1.80,12.75,25.47,6.34,35.76,138.48
Brown,14.07,1.83,12.69,24.83,6.13,44.34,146.43
Mulliner,14.39,1.71,12.68,24.92,6.10,37.76,138.02
Hautenauve,14.04,1.77,11.81,25.61,5.99,35.68,133.90
Kytola,14.31,1.77,11.66,25.69,5.75,39.48,133.35
Geremias,14.23,1.71,12.95,25.50,5.50,39.64,144.02
Hui-Ing,14.85,1.68,10.00,25.23,5.47,39.14,137.30
Jeong-Mi,14.53,1.71,10.83,26.61,5.50,39.26,139.17
Launa,16.42,1.50,11.78,26.16,4.88,46.38,163.43
""",
)

# Hald 1952: percent of four ingredients of cement.
HALD = Classic(
    ("aluminate", "silicate", "ferrite", "slag"),
    """
1,7,26,6,60
2,1,29,15,52
3,11,56,8,20
4,11,31,8,47
5,7,52,6,33
6,11,55,9,22
7,3,71,17,6
8,1,31,22,44
9,2,54,18,22
10,21,47,4,26
11,1,40,23,34
12,11,66,9,12
13,10,68,8,12
""",
)

NAG = Classic(
    ("x1", "x2", "x3"),
    """
1,7,4,3
2,4,1,8
3,6,3,5
4,8,6,1
5,8,5,7
6,7,2,9
7,5,3,3
8,9,5,8
9,7,4,5
10,8,2,2
""",
)

WOLD = Classic(
    ("v1", "v2", "v3", "v4"),
    """
1,3,4,2,2
2,4,3,4,3
3,5,5,6,4
""",
)
