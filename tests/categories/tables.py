"""Published tables with categories and counts, and where they come from."""

import os
from pathlib import Path

import pandas as pd
import pytest

__all__ = ["children", "gironde", "poison", "tea", "wine"]

# Worries of families before a child is born: rows are reasons, columns education and age
# (Husson, Le, Pages, Exploratory Multivariate Analysis by Example Using R, 2017).
CHILDREN = """
row,unqualified,cep,bepc,high_school_diploma,university,thirty,fifty,more_fifty
money,51,64,32,29,17,59,66,70
future,53,90,78,75,22,115,117,86
unemployment,71,111,50,40,11,79,88,177
circumstances,1,7,5,5,4,9,8,5
hard,7,11,4,3,2,2,17,18
economic,7,13,12,11,11,18,19,17
egoism,21,37,14,26,9,14,34,61
employment,12,35,19,6,7,21,30,28
finances,10,7,7,3,1,8,12,8
war,4,7,7,6,2,7,6,13
housing,8,22,7,10,5,10,27,17
fear,25,45,38,38,13,48,59,52
health,18,27,20,19,9,13,29,53
work,35,61,29,14,12,30,63,58
comfort,2,4,3,1,4,,,
disagreement,2,8,2,5,2,,,
world,1,5,4,6,3,,,
to_live,3,3,1,3,4,,,
"""

# An outbreak of food poisoning in a school: age, hours, then y or n (sex: f or m) for sick, sex,
# nausea, vomiting, abdominals, fever, diarrhea, potato, fish, mayo, courgette, cheese, ice cream
# (the same book).
POISON = """
9 22 yfynyyyyyyyyy; 5 0 nfnnnnnyyyyny; 6 16 yfnyyyyyyyyyy; 9 0 nfnnnnnyynyyy;
7 14 ymnyyyyyyyyyy; 72 9 ymnnyyyynyyyy; 5 16 yfnyyyyyyyyyy; 10 8 yfyyyyyyyyyyy;
5 20 ymynyyyyyyyyy; 11 12 ymnynyyyyyyyy; 7 17 yfyyyyyyyyyyy; 10 16 yfnyynnyyyyyy;
36 19 yfnnyyyyyyyyy; 9 0 nfnnnnnyynyyy; 8 0 nmnnnnnyynyny; 6 6 yfnyyyyyyyyyy;
7 10 ymnyyyyyyyyny; 5 15 ymyyyyyyyyyyy; 11 14 yfnyyyyyyyyyy; 11 0 nfnnnnnyynyyy;
10 18 ymnnyyyyyyyyy; 8 14 yfnnyyyyyyyyn; 8 21 yfnyyyyyyynyy; 11 13 ymnyynyyyyyyy;
45 10 yfnnyyyyyyyny; 9 0 nmnnnnnyyyyyy; 5 12 yfnyyynyyyyyy; 85 9 ymnyyyyyynnyy;
88 0 nfnnnnnyyyyyy; 79 17 yfyyyyyyyyyyy; 9 9 yfnnyyyyynyyy; 6 0 nmnnnnnyynyny;
8 0 nfnnnnnyyyyyy; 8 0 nmnnnnnyyyyyy; 7 15 yfynyyynyyyyy; 9 19 ymyyyyyyyyyyy;
9 11 ymynynynyyyyy; 6 0 nfnnnnnyyynny; 5 17 ymnnyyynyyyyy; 6 16 ymyyyyyyyyyyy;
4 12 ymynyyyyyyyyy; 7 0 nmnnnnnyyyyyy; 82 20 yfnnyyyyyyyyy; 5 4 yfyyyyyyyynyn;
5 20 ymnyyyyyyynyy; 6 16 ymnnyyyyyyyyy; 10 0 nmnnnnnyynyyn; 83 0 nmnnnnnyyyyyy;
8 0 nfnnnnnyyyyyy; 7 22 yfnnyyyyyyyyy; 10 0 nmnnnnnyynyyy; 11 17 ymnnyyyyyyyyy;
6 0 nfnnnnnyynynn; 10 19 ymnyyynyyyyyy; 7 14 ymnyyyyyyyyyy
"""
POISON_COLUMNS = {
    "Sick": "Sick", "Sex": "", "Nausea": "Nausea", "Vomiting": "Vomit", "Abdominals": "Abdo",
    "Fever": "Fever", "Diarrhae": "Diarrhea", "Potato": "Potato", "Fish": "Fish", "Mayo": "Mayo",
    "Courgette": "Courg", "Cheese": "Cheese", "Icecream": "Icecream",
}  # fmt: skip

# Wines of the Loire as judges described them, some of the columns (the same book).
WINE = """
row,Label,Soil,Plante,Acidity,Harmony,Intensity,Overall.quality,Typical
2EL,Saumur,Env1,2.0,2.107,3.143,2.857,3.393,3.25
1CHA,Saumur,Env1,2.0,2.107,2.964,2.893,3.214,3.036
1FON,Bourgueuil,Env1,1.75,2.179,3.143,3.074,3.536,3.179
1VAU,Chinon,Env2,2.304,3.179,2.038,2.462,2.464,2.25
1DAM,Saumur,Reference,1.762,2.571,3.643,3.643,3.741,3.444
2BOU,Bourgueuil,Reference,1.75,2.393,3.5,3.464,3.643,3.393
1BOI,Bourgueuil,Reference,1.826,2.607,3.556,3.643,3.714,3.357
3EL,Saumur,Env1,2.08,2.179,3.296,3.321,3.393,3.071
DOM1,Chinon,Env1,1.875,2.286,3.286,3.148,3.2,3.5
1TUR,Saumur,Env2,2.0,2.357,2.963,2.857,3.179,2.964
4EL,Saumur,Env2,1.955,2.429,3.071,3.357,3.571,3.5
PER1,Saumur,Env2,2.042,2.429,3.393,3.25,3.148,3.556
2DAM,Saumur,Reference,1.957,2.286,3.643,3.407,3.571,3.929
1POY,Saumur,Reference,1.826,2.111,3.786,3.667,3.929,3.481
1ING,Bourgueuil,Env1,1.75,2.286,3.296,3.321,3.643,3.296
1BEN,Bourgueuil,Reference,1.917,2.393,3.214,3.214,3.75,3.571
2BEA,Chinon,Reference,1.913,2.571,3.25,3.321,3.536,3.269
1ROC,Chinon,Env2,2.0,2.393,3.074,3.037,3.464,3.444
2ING,Bourgueuil,Env1,2.08,2.25,2.107,2.179,2.37,2.321
T1,Saumur,Env4,2.292,2.407,2.741,3.037,2.643,2.571
T2,Saumur,Env4,2.174,2.571,3.0,3.333,2.852,2.75
"""


def children():
    lines = [line.split(",") for line in CHILDREN.strip().splitlines()]
    counts = [[float(one or "nan") for one in line[1:]] for line in lines[1:]]
    return pd.DataFrame(counts, columns=lines[0][1:], index=[line[0] for line in lines[1:]])


def poison():
    lines = [line.split() for line in POISON.replace("\n", " ").split(";")]
    table = pd.DataFrame({"Age": [float(a) for a, _, _ in lines]})
    table["Time"] = [float(b) for _, b, _ in lines]
    for place, (name, prefix) in enumerate(POISON_COLUMNS.items()):
        letters = [answers[place] for _, _, answers in lines]
        table[name] = [f"{prefix}_{one}" if prefix else one.upper() for one in letters]
    return table


def wine():
    lines = [line.split(",") for line in WINE.strip().splitlines()]
    table = pd.DataFrame([line[1:] for line in lines[1:]], columns=lines[0][1:])
    table.index = [line[0] for line in lines[1:]]
    return table.astype(dict.fromkeys(table.columns[2:], float))


def tea():
    return table_beside("tea.csv")


def gironde():
    return table_beside("gironde_housing.csv")


def table_beside(name):
    """A larger table; the test is skipped where the data are not at hand."""
    beside = Path(__file__).parents[3] / "shared" / "data"
    path = Path(os.environ.get("EIGENLENS_DATA", beside)) / "messy" / name
    if not path.exists():
        pytest.skip(f"{name} is not at hand")
    return pd.read_csv(path, index_col=0)
