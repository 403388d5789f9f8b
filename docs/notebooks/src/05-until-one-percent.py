# %% [markdown]
# # Until the error is 1 %
#
# A job with a target goes on until the mean relative standard error of the bins above half of the maximum is small enough, or until its primaries are used
# up. Nobody has to guess how many that takes.

# %%
import matplotlib.pyplot as plt
from tally_client import Beam, Box, Client, Depth, Project, Zone

client = Client()
water = Zone("Water", Box(10, 10, 20, position=(0, 0, 10)), "water")
project = Project(Beam("proton", 150, spread=1), [water], [Depth("depth_dose", 20, radius=5, bins=100)])
estimate = client.estimate(project, primaries=1e5, tasks=4)["simulators"][0]
print("for 1e5 primaries, seconds:", estimate.get("wall_seconds"))

job = client.submit(project, primaries=1e3, tasks=4, seed=5, target=0.01, max_primaries=5e5).wait()
status = job.status()
print("target reached:", status["target_reached"])

# %% [markdown]
# Each merge tells how far it was: the error falls with the root of the primaries.

# %%
merges = [one for one in status["target"]["convergence"] if one["relative_error"]]
primaries = [one["primaries"] for one in merges]
errors = [one["relative_error"] for one in merges]
axes = plt.subplots()[1]
axes.loglog(primaries, errors, "o-", label="after each merge")
axes.loglog(primaries, [errors[-1] * (primaries[-1] / n) ** 0.5 for n in primaries], "--", color="grey", label="∝ 1/√N")
axes.axhline(0.01, color="tab:red", linewidth=1, label="target")
axes.set(xlabel="primaries", ylabel="mean relative error")
axes.legend()

# %%
dose = job.results()["depth_dose"]["Dose"]
top = dose.values > dose.values.max() / 2
print(f"{dose.relative_errors[top].mean():.4f} over {top.sum()} bins")
assert dose.relative_errors[top].mean() <= 0.01
