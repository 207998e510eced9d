"""The notebooks, executed as the scripts they are."""
import glob
import os
import subprocess
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))


@pytest.mark.parametrize("path", sorted(glob.glob(os.path.join(HERE, "..", "notebooks", "*.py"))), ids=os.path.basename)
def test_notebook(path):
    environment = dict(os.environ, PYTHONPATH=os.path.join(HERE, ".."), PYTHONWARNINGS="error::RuntimeWarning")
    done = subprocess.run([sys.executable, path], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
