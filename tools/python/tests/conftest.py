import signal

import numpy as np
import pytest


@pytest.fixture
def cases():
    """X (300, 3), y with a formula that is found soon"""
    X = np.random.RandomState(0).uniform(-1, 1, (300, 3))
    return X, X[:, 0] ** 2 + 2 * X[:, 1] + 1.5


@pytest.fixture(autouse=True)
def interruptible():
    """Ctrl-C is heard: what a shell starts in the background ignores it, and its children too."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
