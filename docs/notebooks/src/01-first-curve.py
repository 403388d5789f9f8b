# %% [markdown]
# # The first curve
#
# Protons of 150 MeV in water: from a project to a figure. `Client()` takes address and token from `TALLY_URL` and `TALLY_TOKEN`, or from
# what `tally login` has kept ([From Python](../python.md)).

# %%
from tally_client import Beam, Box, Client, Depth, Project, Zone

client = Client()
water = Zone("Water", Box(10, 10, 20, position=(0, 0, 10)), "water")
project = Project(Beam("proton", 150, spread=1), [water], [Depth("depth_dose", 20, radius=5, bins=200)])
job = client.submit(project, primaries=2e4, tasks=4, seed=1).wait()
results = job.results()
results

# %% [markdown]
# The band is one standard error of each bin.

# %%
dose = results["depth_dose"]["Dose"]
axes = dose.plot()

# %% [markdown]
# The service reads numbers off the curve. Each has a standard error, from the scatter of the tasks, and a definition.

# %%
for reading in dose.readings.values():
    print(f"{reading!s:40} {reading.definition}")

# %% [markdown]
# The numbers themselves are arrays of NumPy, with axes and units.

# %%
peak = dose.values.argmax()
print(dose.values.shape, dose.unit, [axis.label for axis in dose.axes])
print(f"peak at {dose.axes[0].centers[peak]:.2f} cm, relative error {dose.relative_errors.ravel()[peak]:.3f}")
