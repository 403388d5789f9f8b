# %% [markdown]
# # Two simulators compared
#
# The same project for SHIELD-HIT12A (simA) and for Geant4 (simC). Where a deployment has neither, its built-in engine computes in their place with the
# mean excitation energies of water that they have, 75 eV and 78 eV; `engine` says so.

# %%
import matplotlib.pyplot as plt
from tally_client import Beam, Box, Client, Depth, Project, Zone

client = Client()
for one in client.api.get_simulators()["simulators"]:
    print(one["sim_type"], one)

# %%
water = Zone("Water", Box(10, 10, 20, position=(0, 0, 10)), "water")
project = Project(Beam("proton", 150, spread=1), [water], [Depth("depth_dose", 20, radius=5, bins=200)])
jobs = {name: client.submit(project, simulator=name, primaries=2e4, tasks=8, seed=3) for name in ("simA", "simC")}
pages = {name: job.wait().results()["depth_dose"]["Dose"] for name, job in jobs.items()}
for name, job in jobs.items():
    print(name, job.results().engine, pages[name].readings["R80"], job.warnings)

# %% [markdown]
# The service compares: differences with the errors of independent jobs, χ², the share of bins that pass gamma (2 %/1 mm), and the
# differences of the readings.

# %%
comparison = client.compare(jobs["simA"], jobs["simC"])
dose = comparison.page("depth_dose", "Dose")
print(f"χ² {dose.chi_square:.0f} over {dose.degrees_of_freedom} bins, {100 * dose.gamma:.1f} % pass gamma")
print(dose.readings["R80"], "(simC less simA)")

# %%
figure, (above, below) = plt.subplots(2, 1, sharex=True, height_ratios=(2, 1), figsize=(6, 5))
for name, page in pages.items():
    page.plot(above, label=name)
above.legend()
difference, error = dose.difference.ravel(), dose.difference_errors.ravel()
depth = dose.axes[0].centers
below.plot(depth, difference)
below.fill_between(depth, difference - error, difference + error, alpha=0.3)
below.set(xlabel=dose.axes[0].label, ylabel=f"simC − simA [{dose.unit}]")
above.set_xlabel("")
