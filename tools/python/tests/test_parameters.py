"""Keywords of the estimators against the catalogue of settings."""
import inspect
import io
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import generate

from grampus import GrampusClassifier, GrampusRegressor, _library, _parameters


def test_generated_file_is_current():
    out = io.StringIO()
    generate.write(out)
    assert out.getvalue() == open(_parameters.__file__).read()


def test_every_key_is_a_keyword_with_the_same_default():
    settings = _library.Settings()
    given = inspect.signature(GrampusRegressor.__init__).parameters
    for _, key, _, _, group, _ in generate.settings():
        name = key.replace("-", "_")
        if not generate.is_keyword(key, group):
            assert name not in given
        elif name == "grammar":
            assert given[name].default is None and settings[key] == ""
        else:
            assert _library.as_text(given[name].default) == settings[key], name
    assert inspect.signature(GrampusClassifier.__init__).parameters.keys() - given.keys() == {"class_weight"}
    assert given.keys() <= inspect.signature(GrampusClassifier).parameters.keys() | {"self"}


def test_parameters_are_json():
    values = GrampusRegressor(generations=7).get_params()
    assert json.loads(json.dumps(values)) == values
