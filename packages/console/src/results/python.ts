import type { PageRef } from '../api/queries.js';

/** Lines of Python that load a page into numpy and plot it; they need a token in TALLY_TOKEN. @param unit - that is wanted */
export function pythonLines(url: string, { jobId, estimator, page }: PageRef, unit: string | undefined): string {
  const wanted = unit === undefined ? '' : `, "unit": ${JSON.stringify(unit)}`;
  const selection = `"job_id": ${JSON.stringify(jobId)}, "estimator_name": ${JSON.stringify(estimator)}, "page_number": ${page}${wanted}`;
  return `import io, os, numpy as np, requests, matplotlib.pyplot as plt

def get(format):
    answer = requests.get("${url}/results", params={${selection}, "format": format},
        headers={"Authorization": "Bearer " + os.environ["TALLY_TOKEN"]})
    answer.raise_for_status()
    return io.BytesIO(answer.content)

page = {name.split("/")[-1]: array for name, array in np.load(get("npz")).items()}
values, errors = page["values"].squeeze(), page["errors"].squeeze()  # values[x, y, z]
position = max((array for name, array in page.items() if name.startswith("axis_")), key=len)
plt.errorbar(position, values, errors)  # of one dimension
plt.ylabel(str(page["unit"]))
plt.show()

# pandas: pd.read_csv(get("csv"))    h5py: h5py.File(get("hdf5"))
`;
}
