"""Without torch and PyWavelets everything else works, and asking for them says what to install."""

import json
import os
import subprocess
import sys

from tests.architecture.source_tree import SOURCE

PROGRAM = """
import json, sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "pywt"):
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Absent())
import numpy as np
import eigenlens as el

rows = np.random.default_rng(0).standard_normal((60, 6)) * [5, 3, 1, 1, 1, 1]
said = {}
model = el.fit(rows, 2)
el.PCA(2).fit_transform(rows)
el.IncrementalPCA(2).fit(rows)
el.choose_rank(rows), el.flatness(rows), el.intrinsic_dimension(rows)
el.explain.variables(model), el.explain.outliers(model, rows)
coder = el.autoencoder.LinearAutoencoder(2).fit(rows)
before = el.autoencoder.Autoencoder(2, max_epochs=0).fit(rows)
said["epoch 0 is PCA"] = bool(np.array_equal(before.transform(rows), model.project(rows)))
A = el.sensing.measurement("gaussian", 20, 40)
el.sensing.recover(A, A @ np.eye(40)[3])
for name, call in {
    "train": lambda: el.autoencoder.Autoencoder(2).fit(rows),
    "wavelet": lambda: el.sensing.basis("haar", 8),
}.items():
    try:
        call()
    except el.OptionError as error:
        said[name] = f"{type(error).__name__}: {error}"
print(json.dumps(said))
"""


def test_everything_else_works_and_the_way_out_is_told():
    environment = os.environ | {"PYTHONPATH": str(SOURCE)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
    )

    said = json.loads(done.stdout)

    assert said["epoch 0 is PCA"] is True
    assert "pip install 'eigenlens[torch]'" in said["train"]
    assert "pip install 'eigenlens[wavelets]'" in said["wavelet"]
    assert said["train"].startswith("OptionError: training an autoencoder needs torch")
