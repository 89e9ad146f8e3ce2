"""FactoMineR's and ca's values (R 4.2.2; FactoMineR 2.7, ca 0.71.1), to the last printed digit."""

import numpy as np
import pytest

import eigenlens as el
from tests.categories import tables


def same(found, printed):
    """Equal up to sign, rounded to the last digit that was printed."""
    found, texts = np.atleast_1d(np.asarray(found, dtype=float)), printed.split()
    assert len(found) == len(texts)
    for one, text in zip(found, texts, strict=True):
        digits = len(text.partition(".")[2])
        assert abs(abs(one) - abs(float(text))) <= 0.5001 * 10.0**-digits, (one, text)


def test_a_wrong_digit_is_seen():
    with pytest.raises(AssertionError):
        same([0.1229], "0.124")


def lines(table, name, **wanted):
    keep = [
        place
        for place in range(len(table["component"]))
        if all(table[column][place] == value for column, value in wanted.items())
    ]
    return [table[name][place] for place in keep]


def level(table, name, category, count=2):
    return lines(table, name, category=category)[:count]


class TestCountsOfChildren:
    table = tables.children()
    active = table.iloc[:14, :5]
    model = el.fit(active, 4, categories="counts")

    def test_eigenvalues(self):
        same(self.model.eigenvalues, "0.0354015389 0.0131147352 0.00730111400 0.00624391345")
        shares = el.explain.eigenvalues(self.model, convention="factominer")
        same(shares["percentage of variance"], "57.0428560 21.1319049 11.7643585 10.0608806")

    def test_rows(self):
        found = el.explain.rows(self.model, self.active)
        same(
            lines(found, "score", row="money"),
            "0.1152674676 0.0200461282 0.1008369258 0.0845834083",
        )
        same(lines(found, "score", row="future")[:2], "0.1764494131 -0.0978632587")
        same(lines(found, "score", row="unemployment")[:2], "0.212227692 0.0707176953")
        same(lines(found, "contribution", row="money")[:2], "4.5499394 0.3714631")
        same(lines(found, "contribution", row="future")[:2], "17.5671921 14.5869292")
        same(lines(found, "cos2", row="money")[:2], "0.4284493 0.0129583")

    def test_columns(self):
        found = el.explain.categories(self.model, self.active)
        same(level(found, "coordinate", "unqualified"), "0.2093178986 0.0807274217")
        same(level(found, "coordinate", "cep"), "0.1385765775 0.0560470300")
        same(level(found, "coordinate", "bepc"), "0.1087577780 0.0284829879")
        same(level(found, "coordinate", "high_school_diploma"), "0.2740392972 0.1213437338")
        same(level(found, "coordinate", "university"), "0.2312327933 0.3178575069")

    def test_supplementary_rows_and_columns(self):
        rows = el.explain.supplementary_rows(self.model, self.table.iloc[14:, :5])
        same(lines(rows, "score", row="comfort")[:2], "0.2096704713 0.7031676915")
        same(lines(rows, "score", row="to_live")[:2], "0.3083066735 0.5020193497")
        others = el.explain.supplementary_columns(
            self.model, self.active, self.table.iloc[:14, 5:], convention="factominer"
        )
        same(lines(others, "coord", variable="thirty")[:2], "0.1054133901 0.0596959410")
        same(lines(others, "coord", variable="more_fifty")[:2], "0.1770681017 0.0481378848")


class TestPoison:
    table = tables.poison()
    active = table.iloc[:, 4:]
    model = el.fit(active, 11, categories="auto")

    def test_eigenvalues(self):
        same(
            self.model.eigenvalues,
            "0.3352313995 0.1291397922 0.1073484856 0.0958795008 0.0788327651 0.0710898063 "
            "0.0601658045 0.0557730073 0.0412057752 0.0130415818 0.0122920816",
        )

    def test_levels_and_columns(self):
        found = el.explain.categories(self.model, self.active)
        same(level(found, "coordinate", "Nausea_n"), "0.2673908714 0.1213902903")
        same(level(found, "coordinate", "Vomit_y"), "0.7185419070 0.6137919736")
        same(level(found, "coordinate", "Abdo_n"), "1.3180220686 0.0357450053")
        same(lines(found, "eta2", column="Abdominals", component="PC1")[0], "0.845115652")
        same(lines(found, "eta2", column="Fever", component="PC1")[0], "0.784678768")
        same(lines(found, "eta2", column="Diarrhae", component="PC1")[0], "0.799467973")

    def test_supplementary_columns(self):
        found = el.explain.supplementary_columns(
            self.model, self.table, ["Time", "Sick"], convention="factominer"
        )
        same(lines(found, "coord", variable="Time", component="Dim.1"), "0.8421475377")
        same(lines(found, "eta2", category="Sick_y", component="Dim.1"), "0.8892035226")

    def test_adjusted_inertias(self):
        found = el.explain.eigenvalues(self.model, adjusted="greenacre")
        same(found["eigenvalue"][:3], "0.07222900250 0.001768519686 0.0003270069741")
        same(found["eigenvalue"][3], "0.00002989301967")
        same(found["proportion"], "0.8324100353 0.0203814740 0.0037686231 0.0003445050")
        assert sum(el.explain.eigenvalues(self.model, adjusted="benzecri")["proportion"]) == (
            pytest.approx(1)
        )


class TestTea:
    def setup_class(self):
        self.table = tables.tea()
        self.model = el.fit(self.table.iloc[:, :18], 6, categories="auto")

    def test_eigenvalues_and_rows(self):
        same(
            self.model.eigenvalues,
            "0.1482744146 0.1215467265 0.0900095384 0.0780544046 0.0737486998 0.0713804397",
        )
        shares = el.explain.eigenvalues(self.model, convention="factominer")
        same(shares["percentage of variance"][:2], "9.8849610 8.1031151")
        scores = self.model.project(self.table)
        same(scores[0, :2], "0.5410145473 0.1486055457")
        same(scores[1, :2], "0.3612401019 0.0779873787")

    def test_levels_and_columns(self):
        found = el.explain.categories(self.model, self.table)
        same(level(found, "coordinate", "breakfast"), "0.1658697095 0.1663512585")
        same(level(found, "coordinate", "Not.breakfast"), "0.1531105011 0.1535550078")
        same(level(found, "coordinate", "tea time"), "0.3858210153 0.0724700126")
        same(level(found, "contribution", "breakfast"), "0.4948080 0.6071243")
        same(level(found, "contribution", "Not.tea time"), "4.0533480 0.1744543")
        same(level(found, "cos2", "breakfast", 1), "0.0253963943")
        same(level(found, "v_test", "breakfast"), "2.75563457 2.76363467")
        same(level(found, "v_test", "tea time"), "7.57755641 1.42331700")
        same(level(found, "eta2", "breakfast"), "0.0253963943 0.0255440688")
        columns = {"tea.time": "0.1920379972", "evening": "0.0531175917", "lunch": "0.0745822673"}
        for column, printed in columns.items():
            same(lines(found, "eta2", column=column, component="PC1")[0], printed)

    def test_supplementary_columns(self):
        found = el.explain.supplementary_columns(
            self.model, self.table, ["sex", "age"], convention="factominer"
        )
        same(level(found, "coord", "F"), "0.1512101460 0.1090429200")
        same(level(found, "v.test", "F"), "3.158250784 2.277524999")
        same(level(found, "coord", "M", 1), "0.2206180819")
        same(lines(found, "coord", variable="age")[:2], "0.0424139796 0.2035107847")


class TestWine:
    table = tables.wine()
    model = el.fit(table, 5, categories="auto")

    def test_eigenvalues_and_rows(self):
        same(self.model.eigenvalues, "4.831517442 1.856879657 1.582479383 1.149120046 0.651805308")
        found = el.explain.rows(self.model, self.table)
        same(lines(found, "score", row="2EL")[:2], "0.121324089 1.579715061")
        same(lines(found, "contribution", row="2EL")[0], "0.014507455")
        same(lines(found, "cos2", row="2EL")[0], "0.002868247")
        same(lines(found, "score", row="1CHA")[:2], "0.653676016 1.684647160")

    def test_numbers(self):
        found = el.explain.variables(self.model, convention="factominer")
        same(lines(found, "coord", variable="Plante")[:2], "0.8569807709 0.2460730902")
        same(lines(found, "coord", variable="Harmony")[:2], "0.9457255473 0.1537144948")
        same(lines(found, "cos2", variable="Plante")[0], "0.7344160416")

    def test_levels_and_columns(self):
        found = el.explain.categories(self.model, self.table)
        same(level(found, "coordinate", "Saumur"), "0.0823823585 0.2041021375")
        same(level(found, "coordinate", "Bourgueuil"), "0.7257812241 1.0944656893")
        same(level(found, "coordinate", "Reference"), "2.0691800899 0.6112127518")
        same(level(found, "coordinate", "Env4"), "2.6482318702 0.7666332457")
        same(level(found, "contribution", "Reference", 1), "6.1137577112")
        same(level(found, "contribution", "Env1"), "0.1349051926 27.7092331802")
        same(level(found, "v_test", "Reference"), "2.9768470074 1.4184058941")
        same(level(found, "cos2", "Env1"), "0.0292589120 0.8876758961")
        same(level(found, "eta2", "Saumur"), "0.1000814948 0.3158030803")
        same(level(found, "eta2", "Env1"), "0.5377371597 0.7987980033")
        for component, printed in (("PC1", "11.1297779"), ("PC2", "43.0182969")):
            same(sum(lines(found, "contribution", column="Soil", component=component)), printed)


def test_houses_of_gironde():
    table = tables.gironde()

    model = el.fit(table, 4, categories="auto")

    same(model.eigenvalues, "2.526877073 1.069277658 0.630325264 0.423021598")
    numbers, levels = el.explain.variables(model), el.explain.categories(model, table)
    same(lines(numbers, "cos2", variable="density")[:2], "0.4955009833 0.0610714173")
    same(lines(numbers, "cos2", variable="primaryres")[:2], "0.0003542291 0.9455391200")
    same(lines(numbers, "cos2", variable="owners")[0], "0.7365056261")
    same(lines(levels, "eta2", column="houses", component="PC1")[0], "0.6822568847")
    same(lines(levels, "eta2", column="council", component="PC1")[0], "0.6122593496")
