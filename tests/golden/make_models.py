"""Write the golden model files of the present version, and their facts as plain text.

    python -m tests.golden.make_models

Run it when a kind or version of model file is new, and commit what it writes. It never replaces a
file: golden files of the past are not to be made again.
"""

import json
from pathlib import Path

import numpy as np
import scipy.sparse

import eigenlens as el
from eigenlens.autoencoder import Autoencoder, LinearAutoencoder, linear_record
from eigenlens.autoencoder import network_record as coder_record
from eigenlens.kernel import record as kernel_record
from eigenlens.model.file import subspace_record
from tests.autoencoder.sets import lecture_curve
from tests.model.file.forge import true_model

FOLDER = Path(__file__).parent


def models():
    """(layout, name) -> model."""
    rng = np.random.default_rng(11)
    counts = scipy.sparse.random_array((300, 150), density=0.05, rng=rng)
    weights = rng.integers(1, 4, 300)
    rows = rng.standard_normal((40, 3)) + 2
    exact = el.KernelPCA(2, kernel="poly", degree=2).fit(rows)
    seen = el.KernelPCA(3, kernel="rbf", gamma="median", n_landmarks=8, fit_inverse_transform=True)
    return {
        (subspace_record, "scaled"): true_model(),
        (subspace_record, "probabilistic"): el.fit(
            counts, 3, weights=weights, solver="krylov", tolerance=1e-3
        ),
        (subspace_record, "nothing"): el.fit(rng.standard_normal((200, 5))),
        (kernel_record, "exact"): exact.model_,
        (kernel_record, "landmarks"): seen.fit(rows.astype(np.float32)).model_,
        (coder_record, "curve"): Autoencoder(1, hidden=(6, 4), max_epochs=2).fit(
            lecture_curve(120)
        ),
        (linear_record, "curve"): LinearAutoencoder(1, l2=0.01).fit(lecture_curve(120)),
    }


def verdict_fact(verdict):
    """Value, interval, rule and reason, as the stored facts have them."""
    return None if verdict is None else f"{verdict.answer} by {verdict.rule}: {verdict.reason}"


def facts(model):
    """What must come back; floats as their exact hexadecimal."""
    if hasattr(model, "encoder_"):
        arrays = (model.components_, model.encoder_, model.decoder_, model.mean_)
        return {
            "arrays": [hexadecimal(one) for one in arrays],
            "loss": float(model.loss_).hex(),
            "parameters": {name: repr(one) for name, one in model.get_params().items()},
        }
    if hasattr(model, "network_"):
        return facts(model.model_) | {
            "weights": [hexadecimal(one) for one in model.network_.parameters],
            "parameters": {name: repr(one) for name, one in model.get_params().items()},
            "gain": verdict_fact(model.gain_),
            "flatness": verdict_fact(model.flatness_),
            "history": model.history_.to_csv(),
        }
    own = kernel_facts(model) if isinstance(model, el.KernelSubspace) else subspace_facts(model)
    return {
        **own,
        "eigenvalues": hexadecimal(model.eigenvalues),
        "n_rows": model.n_rows,
        "feature_names": None if model.feature_names is None else list(model.feature_names),
        "choices": {name: verdict_fact(verdict) for name, verdict in model.choices.items()},
        "kind": model.certificate.kind,
        "captured_ratio": model.certificate.captured_ratio,
        "eigenvalue_bounds": model.certificate.eigenvalue_bounds.tolist(),
    }


def subspace_facts(model):
    return {
        "components": hexadecimal(model.components),
        "mean": hexadecimal(model.mean),
        "scale": hexadecimal(model.scale),
        "total_variance": float(model.total_variance).hex(),
    }


def kernel_facts(model):
    return {
        "kernel": repr(model.kernel),
        "method": model.method,
        "anchor_rows": hexadecimal(model.anchor_rows),
        "coefficients": hexadecimal(model.coefficients),
        "anchor_numbers": model.anchor_numbers.tolist(),
        "preimage": None if model.preimage is None else model.preimage.name,
    }


def hexadecimal(array):
    return None if array is None else [float(number).hex() for number in array.ravel()]


def kind_and_version(layout):
    """As its module says: SOMETHING_KIND and SOMETHING_VERSION."""
    (kind,) = [value for name, value in vars(layout).items() if name.endswith("_KIND")]
    (version,) = [value for name, value in vars(layout).items() if name.endswith("_VERSION")]
    return f"{kind}-{version}"


if __name__ == "__main__":
    for (layout, name), model in models().items():
        path = FOLDER / f"{kind_and_version(layout)}-{name}.eigenlens"
        if path.exists():
            continue
        model.save(path)
        text = json.dumps(facts(model), indent=1, ensure_ascii=False)
        path.with_suffix(".json").write_text(text + "\n", encoding="utf-8")
