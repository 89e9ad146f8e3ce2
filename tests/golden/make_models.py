"""Write the golden model files of the present version, and their facts as plain text.

    python -m tests.golden.make_models

Run it once, when a kind or version of model file is new, and commit what it writes. It never
replaces a file: golden files of the past are not to be made again.
"""

import json
from pathlib import Path

import numpy as np
import scipy.sparse

import eigenlens as el
from eigenlens.model.file.subspace_record import KIND, VERSION
from tests.model.file.forge import true_model

FOLDER = Path(__file__).parent


def models():
    rng = np.random.default_rng(11)
    counts = scipy.sparse.random_array((300, 150), density=0.05, rng=rng)
    weights = rng.integers(1, 4, 300)
    return {
        "scaled": true_model(),
        "probabilistic": el.fit(counts, 3, weights=weights, solver="krylov", tolerance=1e-3),
        "nothing": el.fit(rng.standard_normal((200, 5))),
    }


def facts(model):
    """What must come back; floats as their exact hexadecimal."""
    return {
        "components": hexadecimal(model.components),
        "eigenvalues": hexadecimal(model.eigenvalues),
        "mean": hexadecimal(model.mean),
        "scale": hexadecimal(model.scale),
        "total_variance": float(model.total_variance).hex(),
        "n_rows": model.n_rows,
        "feature_names": None if model.feature_names is None else list(model.feature_names),
        "choices": {name: str(verdict) for name, verdict in model.choices.items()},
        "kind": model.certificate.kind,
        "captured_ratio": model.certificate.captured_ratio,
        "eigenvalue_bounds": model.certificate.eigenvalue_bounds.tolist(),
    }


def hexadecimal(array):
    return None if array is None else [float(number).hex() for number in array.ravel()]


if __name__ == "__main__":
    for name, model in models().items():
        path = FOLDER / f"{KIND}-{VERSION}-{name}.eigenlens"
        if path.exists():
            raise SystemExit(f"{path.name} exists, and golden files are not made again")
        model.save(path)
        text = json.dumps(facts(model), indent=1, ensure_ascii=False)
        path.with_suffix(".json").write_text(text + "\n", encoding="utf-8")
