"""Runs the Python of a page: blocks in one namespace, in their order, as a reader types them. A block is a line of JSON."""

import json
import os
import sys
import traceback

answers = sys.stdout
sys.stdout = sys.stderr  # what blocks print
namespace = {"__name__": "__main__"}
for line in sys.stdin:
    block = json.loads(line)
    os.environ.update(block["env"])
    try:
        exec(compile(block["code"], block["name"], "exec"), namespace)
        fault = None
    except BaseException:
        fault = traceback.format_exc()
    print(json.dumps({"fault": fault}), file=answers, flush=True)
