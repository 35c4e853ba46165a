"""Which bots can be compared at all: those that met, directly or through others."""

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from ladder.fit.orderings import Index
from ladder.fit.results import Flags, Results


def components(results: tuple[Results, ...], bots: int) -> Index:
    """Return the component of each bot. Bots are in one if games lead from one to the other."""
    edges = [
        np.stack([table.bots[:, 0], table.bots[:, seat]])
        for table in results
        for seat in range(1, table.seats)
    ]
    one, other = np.concatenate(edges, axis=1) if edges else np.zeros((2, 0), dtype=np.int32)
    met = sparse.coo_array((np.ones(len(one)), (one, other)), shape=(bots, bots))
    _, labels = connected_components(met.tocsr(), directed=False)
    return np.asarray(labels, dtype=np.int64)


def established(labels: Index, played: Index) -> Flags:
    """Return who is in the component with the most games; all others are provisional.

    `played` counts each bot's games. Of equal components the one that comes first is taken.
    """
    sizes = np.bincount(labels, weights=played)
    return np.asarray(labels == int(sizes.argmax())) if len(labels) else np.zeros(0, dtype=bool)
