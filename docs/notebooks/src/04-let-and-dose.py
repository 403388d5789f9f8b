# %% [markdown]
# # LET and dose, as a figure for a paper
#
# Dose and dose-averaged LET over depth, in one figure of the width of a column, with error bands.

# %%
import matplotlib.pyplot as plt
import numpy as np
from tally_client import Beam, Box, Client, Depth, Filter, Project, Quantity, Zone

client = Client()
water = Zone("Water", Box(10, 10, 20, position=(0, 0, 10)), "water")
primaries = Filter("Z == 1", "A == 1", "GEN == 0", name="Primary protons")
quantities = ["Dose", "dLET", "tLET", Quantity("Fluence", "Primary_fluence", filter=primaries)]
project = Project(
    Beam("proton", 150, spread=1),
    [water],
    [Depth("depth", 20, radius=5, bins=100, quantities=quantities)],
    title="LET and dose",
)
pages = client.submit(project, primaries=3e4, tasks=8, seed=4).wait().results()["depth"]
pages

# %% [markdown]
# LET is shown where primary protons are left: behind the range a few secondaries decide, and their error says so.

# %%
dose, let, fluence = (pages[name].squeeze() for name in ("Dose", "dLET", "Primary_fluence"))
depth = dose.axes[0].centers
reached = fluence.values > 0.01 * fluence.values.max()

with plt.rc_context({"font.size": 8, "axes.linewidth": 0.6, "lines.linewidth": 1}):
    figure, left = plt.subplots(figsize=(3.4, 2.6), layout="constrained")
    right = left.twinx()
    scale = 100 / dose.values.max()
    for axes, y, error, color, label in (
        (left, scale * dose.values, scale * dose.errors, "tab:blue", "dose [% of maximum]"),
        (right, np.where(reached, let.values, np.nan), let.errors, "tab:red", f"dose-averaged LET [{let.unit}]"),
    ):
        axes.plot(depth, y, color=color)
        axes.fill_between(depth, y - error, y + error, color=color, alpha=0.3, linewidth=0)
        axes.set_ylabel(label, color=color)
        axes.set_ylim(0)
    left.set(xlabel="depth in water [cm]", xlim=(0, 20))

# %% [markdown]
# `figure.savefig("figure.pdf")` writes it for the paper. What belongs into the caption, the results have with them.

# %%
results = pages["Dose"].readings
print(results["R80"], "·", results["R50"])
