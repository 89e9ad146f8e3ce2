"""Genotypes of PLINK: decoded, scaled, written and matched by their definitions."""

import numpy as np
import pytest

import eigenlens as el
from eigenlens.errors import FieldError, MismatchError
from eigenlens.sources.genotypes import count_alleles, scale_genotypes
from tests.fields.stored import REFERENCE, outside_file

N, M = 61, 40
CODES = {2.0: 0, 1.0: 2, 0.0: 3}


def genotypes(samples=N, variants=M, missing=0.03, seed=0):
    """Two populations, some calls missing, one variant that does not vary."""
    rng = np.random.default_rng(seed)
    shares = rng.uniform(0.1, 0.5, (2, variants))
    calls = rng.binomial(2, shares[np.arange(samples) % 2]).astype(float)
    calls[:, 3] = 0
    calls[rng.random(calls.shape) < missing] = np.nan
    return calls


def write_bed(folder, calls, name="x", alleles=None, chromosome="1", magic=b"\x6c\x1b\x01"):
    samples, variants = calls.shape
    stride = -(-samples // 4)
    data = np.zeros((variants, stride), dtype=np.uint8)
    for variant in range(variants):
        for sample in range(samples):
            value = calls[sample, variant]
            code = 1 if np.isnan(value) else CODES[value]
            data[variant, sample // 4] |= code << 2 * (sample % 4)
    (folder / f"{name}.bed").write_bytes(magic + data.tobytes())
    pairs = alleles or [("A", "G")] * variants
    lines = [
        f"{chromosome}\trs{chromosome}_{i}\t0\t{1000 * (i + 1)}\t{one}\t{two}\n"
        for i, (one, two) in enumerate(pairs)
    ]
    (folder / f"{name}.bim").write_text("".join(lines))
    (folder / f"{name}.fam").write_text("".join(f"F{i} I{i} 0 0 0 -9\n" for i in range(samples)))
    return folder / f"{name}.bed"


def by_definition(calls):
    """(g - 2p) / sqrt(2p(1-p)) of the variants that vary, 0 where a call is missing."""
    share = np.nanmean(calls, axis=0) / 2
    varies = (share > 0) & (share < 1)
    scaled = (calls - 2 * share)[:, varies] / np.sqrt(2 * share * (1 - share))[varies]
    return np.where(np.isnan(scaled), 0.0, scaled), varies


def test_calls_are_decoded_in_any_part(tmp_path):
    source = el.open(write_bed(tmp_path, genotypes()))

    assert source.shape == (N, M)
    assert source.names[0] == "rs1_0_A(/G)"
    np.testing.assert_array_equal(np.vstack(list(source.blocks(7))), genotypes())
    np.testing.assert_array_equal(np.vstack(list(source.blocks(10, 33))), genotypes()[33:])
    np.testing.assert_array_equal(np.hstack(list(source.panels(9))), genotypes())
    some = el.open(tmp_path / "x.bed", [7, 2])
    np.testing.assert_array_equal(some.sample(np.array([60, 1])), genotypes()[[60, 1]][:, [7, 2]])


@pytest.mark.parametrize("solver", ["auto", "dual", "covariance", "krylov"])
def test_hardy_weinberg_units_are_those_of_the_definition(tmp_path, solver):
    path = write_bed(tmp_path, genotypes())
    scaled, varies = by_definition(genotypes())
    left, values, _ = np.linalg.svd(scaled - scaled.mean(axis=0), full_matrices=False)

    model = el.fit(path, k=5, scale="hwe", solver=solver, tolerance=1e-11)

    assert model.n_features == varies.sum()
    assert model.choices["columns"].evidence["left_out"] == ["rs1_3_A(/G)"]
    np.testing.assert_allclose(model.eigenvalues, values[:5] ** 2 / (N - 1), rtol=1e-10)
    scores = model.project(path)
    np.testing.assert_allclose(np.abs(scores / values[:5]), np.abs(left[:, :5]), atol=1e-7)


def test_arrays_of_copies_are_scaled_alike(tmp_path):
    path = write_bed(tmp_path, genotypes())

    ours = el.fit(path, k=3, scale="hwe", tolerance=1e-10)
    plain = el.fit(genotypes(), k=3, scale="hwe", tolerance=1e-10)

    np.testing.assert_allclose(plain.eigenvalues, ours.eigenvalues, rtol=1e-9)
    with pytest.raises(FieldError, match="0, 1 or 2"):
        el.fit(genotypes() + 0.5, k=3, scale="hwe")


def test_missing_calls_may_be_estimated_instead(tmp_path):
    path = write_bed(tmp_path, genotypes(variants=8))

    model = el.fit(path, k=2, scale="hwe", missing="auto")

    assert model.missing is not None
    with pytest.raises(el.DataError, match="NaN"):
        el.fit(path, k=2)


def test_chromosomes_are_joined_by_columns(tmp_path):
    first = write_bed(tmp_path, genotypes(seed=1), "a", chromosome="1")
    second = write_bed(tmp_path, genotypes(seed=2), "b", chromosome="2")

    source = el.open([first, second])

    assert source.shape == (N, 2 * M)
    both = np.hstack([genotypes(seed=1), genotypes(seed=2)])
    np.testing.assert_array_equal(np.vstack(list(source.blocks(20))), both)
    assert el.fit([first, second], k=2, scale="hwe").n_features == 2 * M - 2
    other = write_bed(tmp_path, genotypes(samples=9), "c", chromosome="3")
    with pytest.raises(FieldError, match="other samples"):
        el.open([first, other])


def test_eigenvectors_and_values_are_written_as_plink_does(tmp_path):
    path = write_bed(tmp_path, genotypes())
    scaled, varies = by_definition(genotypes())
    values = np.linalg.svd(scaled - scaled.mean(axis=0), compute_uv=False)
    model = el.fit(path, k=3, scale="hwe", tolerance=1e-10)

    vectors, eigenvalues = el.genetics.write_plink(model, path, tmp_path / "out")

    lines = [line.split("\t") for line in vectors.read_text().splitlines()]
    assert lines[0] == ["#FID", "IID", "PC1", "PC2", "PC3"]
    assert lines[1][:2] == ["F0", "I0"]
    written = np.array([line[2:] for line in lines[1:]], dtype=float)
    np.testing.assert_allclose(np.linalg.norm(written, axis=0), 1, atol=1e-8)
    np.testing.assert_allclose(np.loadtxt(eigenvalues), values[:3] ** 2 / varies.sum(), rtol=1e-8)


def test_new_samples_are_matched_by_their_alleles(tmp_path):
    path = write_bed(tmp_path, genotypes())
    model = el.fit(path, k=3, scale="hwe")
    calls = genotypes()
    flipped = np.where(np.arange(M) % 3 == 0, 2 - calls, calls)
    pairs = [("G", "A") if i % 3 == 0 else ("T", "C") if i == 1 else ("A", "G") for i in range(M)]
    new = write_bed(tmp_path, flipped, "new", pairs)

    found = el.genetics.project_samples(model, new)

    np.testing.assert_allclose(found.scores, model.project(path), atol=1e-10)
    assert found.samples[4] == ("F4", "I4")
    assert found.n_flipped == sum(i % 3 == 0 and i != 3 for i in range(M))
    assert found.n_strand == 1
    wrong = write_bed(tmp_path, calls, "wrong", [("A", "C")] * M)
    with pytest.raises(FieldError, match=r"39 of 39 variants.*A/C, in the model A/G"):
        el.genetics.project_samples(model, wrong)
    fewer = write_bed(tmp_path, calls[:, :30], "fewer")
    with pytest.raises(MismatchError, match="rs1_30"):
        el.genetics.project_samples(model, fewer)


def test_a_component_of_one_region_is_a_warning(tmp_path):
    rng = np.random.default_rng(0)
    calls = rng.binomial(2, 0.4, (200, 300)).astype(float)
    calls[:, :40] = calls[:, :1]  # a run in complete disequilibrium
    path = write_bed(tmp_path, calls)
    text = (tmp_path / "x.bim").read_text().splitlines()
    spread = [line.split("\t") for line in text]
    for place, line in enumerate(spread):
        line[3] = str(1000 * place if place < 40 else 6_000_000 * place)
    (tmp_path / "x.bim").write_text("\n".join("\t".join(line) for line in spread) + "\n")

    with pytest.warns(UserWarning, match="PC1 is held by one region.*chromosome 1"):
        model = el.genetics.genotype_pca(path, 2)

    table = el.genetics.regions(model, path)
    assert list(table["suspicious"]) == [True, False]


@pytest.mark.parametrize("name", ["data_chr1", "bigsnpr_example"])
def test_the_stored_decompositions(name):
    path = outside_file(f"genetics/{name}.bed")
    truth = REFERENCE[f"genetics/{name}"]

    model = el.fit(path, k=10, scale="hwe", tolerance=1e-11)
    scores = model.project(path)

    np.testing.assert_allclose(
        model.eigenvalues, truth["eigenvalues_ours_sigma2_over_nminus1"], rtol=1e-10
    )
    flash = model.eigenvalues * (model.n_rows - 1) / model.n_features
    np.testing.assert_allclose(flash, truth["eigenvalues_sigma2_over_p"], rtol=1e-10)
    vectors = scores[:2] / np.linalg.norm(scores, axis=0)
    stored = truth["eigenvectors_first_two_samples_largest_loading_positive"]
    np.testing.assert_allclose(vectors, stored, atol=1e-7)


# -- mistakes --------------------------------------------------------------------------------


def test_files_that_do_not_belong_together_are_an_error(tmp_path):
    path = write_bed(tmp_path, genotypes())
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(FieldError, match=r"61 samples .* 40 variants"):
        el.open(path)
    with pytest.raises(FieldError, match="sample by sample"):
        el.open(write_bed(tmp_path, genotypes(), magic=b"\x6c\x1b\x00"))
    with pytest.raises(el.FileError, match="6c 1b"):
        el.open(write_bed(tmp_path, genotypes(), magic=b"BED"))
    path = write_bed(tmp_path, genotypes())
    (tmp_path / "x.fam").unlink()
    with pytest.raises(FieldError, match=r"x\.fam"):
        el.open(path)
    with pytest.raises(FieldError, match="all 5 variants are monomorphic"):
        el.fit(write_bed(tmp_path, np.zeros((9, 5))), k=1, scale="hwe")
    with pytest.raises(FieldError, match="genotypes"):
        el.genetics.write_plink(el.fit(np.eye(4), k=1), np.eye(4), tmp_path / "no")
    assert not (tmp_path / "no.eigenvec").exists()


@pytest.mark.parametrize("samples", [60, 61, 62, 63])
def test_alleles_are_counted_by_whole_bytes(tmp_path, samples):
    calls = genotypes(samples)
    cut = [write_bed(tmp_path, calls[:, part], f"c{i}", chromosome=str(i + 1)) for i, part in PARTS]

    copies, observed = count_alleles(el.open(cut, [39, 2, 20, 21]))

    some = calls[:, [39, 2, 20, 21]]
    np.testing.assert_array_equal(copies, np.nansum(some, axis=0))
    np.testing.assert_array_equal(observed, (~np.isnan(some)).sum(axis=0))


PARTS = [(0, slice(0, 17)), (1, slice(17, 40))]


@pytest.mark.parametrize("samples", [1, 3, 61])
def test_bits_after_the_last_sample_are_not_counted(tmp_path, samples):
    path = write_bed(tmp_path, calls := genotypes(samples))
    stored = bytearray(path.read_bytes())
    for end in range(2 + -(-samples // 4), len(stored), -(-samples // 4)):
        stored[end] |= 0xFF << 2 * ((samples - 1) % 4 + 1) & 0xFF
    path.write_bytes(stored)

    copies, observed = count_alleles(el.open(path))

    np.testing.assert_array_equal(copies, np.nansum(calls, axis=0))
    np.testing.assert_array_equal(observed, (~np.isnan(calls)).sum(axis=0))


def test_genotypes_are_multiplied_in_float32_and_the_bounds_hold(tmp_path):
    calls = genotypes(240, 900, missing=0.2, seed=4)
    path = write_bed(tmp_path, calls)
    scaled, _ = by_definition(calls)
    values = np.linalg.svd(scaled - scaled.mean(axis=0), compute_uv=False)[:6] ** 2 / 239

    model = el.fit(path, k=6, scale="hwe")

    low, high = model.certificate.eigenvalue_bounds.T
    assert model.provenance["dtype"] == "float32"
    assert (low <= values).all()
    assert (values <= high).all()
    np.testing.assert_allclose(model.eigenvalues, values, rtol=1e-5)


def test_means_that_fill_missing_calls_keep_all_digits_where_these_are_asked_for(tmp_path):
    source = scale_genotypes(el.open(write_bed(tmp_path, genotypes())), fill=True).source

    rounded, exact = np.vstack([*source.blocks(9)]), np.vstack([*source.in_double().blocks(9)])

    assert (rounded.dtype, exact.dtype) == (np.float32, np.float64)
    np.testing.assert_array_equal(rounded, exact.astype(np.float32))
    assert (rounded != exact).any()


def test_a_variant_that_counts_the_samples_is_a_variant(tmp_path):
    calls = np.array([[0.0, 1, 2, 0], [1, 0, 2, 1], [2, 2, 0, 1]])

    model = el.fit(write_bed(tmp_path, calls), k=1)

    assert model.n_features == 4
