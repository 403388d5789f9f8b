"""Reads simulators' files with pymchelper: paths from standard input, one a line; one line of JSON for each.

Values are 64-bit reals in base64, first axis fastest. What pymchelper cannot read is null.
"""

import base64
import json
import logging
import math
import sys

import numpy as np

from pymchelper.axis import MeshAxis
from pymchelper.estimator import Estimator
from pymchelper.input_output import fromfile
from pymchelper.readers.topas import TopasReader


def number(value):
    return None if value is None or math.isnan(value) else float(value)


def axis(mesh):
    return {
        "bins": int(mesh.n),
        "lower": number(mesh.min_val),
        "upper": number(mesh.max_val),
        "unit": str(mesh.unit),
        "isLog": mesh.binning == MeshAxis.BinningType.logarithmic,
    }


def values(estimator, page):
    # comma-separated values have their last index fastest; pymchelper takes this for true of the oldest format, too
    ordered = page.data.ravel(order="F") if estimator.file_format == "csv" else np.ravel(page.data_raw)
    return base64.b64encode(np.ascontiguousarray(ordered, dtype="<f8")).decode()


def describe(estimator):
    return {
        "format": estimator.file_format,
        "primaries": int(estimator.number_of_primaries),
        "axes": [axis(estimator.x), axis(estimator.y), axis(estimator.z)],
        "pages": [
            {
                "name": str(page.name),
                "unit": str(page.unit),
                "axes": [axis(page.diff_axis1), axis(page.diff_axis2)],
                "values": values(estimator, page),
            }
            for page in estimator.pages
        ],
    }


def read(path):
    if not path.endswith(".csv"):
        return fromfile(path)
    estimator = Estimator()
    return estimator if TopasReader(path).read(estimator) else None


logging.disable(logging.CRITICAL)
for line in sys.stdin:
    found = read(line.rstrip("\n"))
    print(json.dumps(describe(found) if found else None))
