"""Export: a model for programs that do not have eigenlens. To keep one, `model.save` it instead.

Promises     what leaves is the model's own numbers in float64; a file appears whole or not at all.
Knows        ONNX (a graph from rows to scores), JSON, `.npz`, scikit-learn's classes.
Knows not    the way back: an export is not loaded again.
One more     a file with `write(model, path)`, and one line in `FORMATS` of `door.py`.
"""
