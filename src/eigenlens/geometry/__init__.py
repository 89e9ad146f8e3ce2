"""Geometry: how many dimensions the rows fill, and whether a flat subspace suits them.

Promises     a curve of the dimension over scales, each number with its standard error; a single
             number only where the curve has a plateau; a verdict flat, mild or curved that compares
             the rows with a cloud that is flat by construction.
Knows        distances between rows: the neighbors of some anchors among all rows, in one pass.
Knows not    solvers, models, how many components somebody wants.
Argument     neighbors alone say too little of high dimensions (a cloud of 20 reads 15), so every
             figure is set beside what a flat cloud with as many rows would show. See
             docs/methods/dimension.md.
One more     an estimator is a function of `Neighbors` with a row in the curve; a flat cloud to
             compare with is a function in `clouds.py`.
"""
