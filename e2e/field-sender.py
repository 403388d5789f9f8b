"""Final results as the field's own sender posts them: no page numbers, axis_dim1, metadata as text, NaN. Standard input is
{"url", "simulation_id", "update_key", "primaries"}; prints the answer's status and body."""

import json
import sys
import urllib.request

order = json.load(sys.stdin)
nan, inf = float("nan"), float("inf")
axis = {"unit": "cm", "name": "Position (Z)", "values": [0.5, 1.5, 2.5, 3.5]}
pages = [
    {
        "metadata": {"page_number": "0", "detector_type": "Dose", "diff_axis1": "None"},
        "dimensions": 1,
        "data": {"unit": "MeV/g", "name": "Dose", "values": [0.25, nan, inf, -inf]},
        "axis_dim1": axis,
    },
    {
        "metadata": {"page_number": "1"},
        "dimensions": 0,
        "data": {"unit": "MeV", "name": "Energy", "values": [[[[[1.5]]]]]},
    },
]
body = {
    "simulation_id": order["simulation_id"],
    "update_key": order["update_key"],
    "estimators": [{"name": "z_profile", "metadata": {"number_of_primaries": "1000"}, "pages": pages}],
}
if order.get("primaries") is not None:
    body["primaries"] = order["primaries"]
request = urllib.request.Request(
    order["url"] + "/results", data=json.dumps(body).encode(), headers={"Content-Type": "application/json"}
)
try:
    with urllib.request.urlopen(request) as answer:
        print(json.dumps({"status": answer.status, "body": json.load(answer)}))
except urllib.error.HTTPError as answer:
    print(json.dumps({"status": answer.code, "body": json.load(answer)}))
