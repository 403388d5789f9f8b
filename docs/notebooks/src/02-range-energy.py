# %% [markdown]
# # Ranges of protons in water
#
# A job for each energy, one table, and a fit of the rule of Bragg and Kleeman, $R = \alpha E^p$.

# %%
import matplotlib.pyplot as plt
import numpy as np
from tally_client import Beam, Box, Client, Depth, Project, Zone

client = Client()
water = Zone("Water", Box(20, 20, 36, position=(0, 0, 18)), "water")
project = Project(Beam("proton", 150), [water], [Depth("depth_dose", 36, radius=10, bins=720)], title="Range")
sweep = client.sweep(project, {"beam.energy": range(70, 231, 20)}, primaries=3e3, tasks=4, seed=2).wait()
table = sweep.table()
table.to_pandas()[["beam.energy", "R80", "R80 error", "R90", "R50"]]

# %% [markdown]
# A straight line through the logarithms, weighted by the errors of the ranges.

# %%
energy, r80, error = table["beam.energy"].astype(float), table["R80"], table["R80 error"]
(p, log_alpha), covariance = np.polyfit(np.log(energy), np.log(r80), 1, w=r80 / error, cov="unscaled")
alpha = np.exp(log_alpha)
print(f"R80 = {alpha:.5f} cm · (E/MeV)^{p:.4f},  p ± {np.sqrt(covariance[0, 0]):.4f}")

# %%
figure, (above, below) = plt.subplots(2, 1, sharex=True, height_ratios=(3, 1), figsize=(6, 5))
above.errorbar(energy, r80, error, fmt="o", label="R80")
above.plot(energy, alpha * energy**p, label=f"{alpha:.4f} cm · E^{p:.3f}")
above.set_ylabel("R80 [cm]")
above.legend()
below.errorbar(energy, 10 * (r80 - alpha * energy**p), 10 * error, fmt="o")
below.axhline(0, color="grey", linewidth=1)
below.set(xlabel="energy [MeV]", ylabel="rest [mm]")
figure.align_ylabels()

# %% [markdown]
# The rest shows that a power is an approximation. PSTAR (NIST) has a CSDA range of 15.77 cm at 150 MeV.

# %%
at_150 = float(np.interp(150, energy, r80))
print(f"R80 at 150 MeV: {at_150:.2f} cm")
assert table["state"].tolist() == ["COMPLETED"] * len(table) and abs(at_150 - 15.77) < 0.2
