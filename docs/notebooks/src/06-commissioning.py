# %% [markdown]
# # Commissioning a beam
#
# Somebody has measured a depth-dose curve in water. Which mean energy and which energy spread has the beam? The range tells the energy,
# the width of the peak and the steepness behind it tell the spread. All jobs have one seed, so their curves are smooth functions of both
# parameters, and a few small jobs suffice.
#
# The measured curve of this notebook is a simulation with another seed. Its beam is told at the end.

# %%
import matplotlib.pyplot as plt
import numpy as np
from tally_client import Beam, Box, Client, Depth, Project, Zone

client = Client()
water = Zone("Water", Box(20, 20, 20, position=(0, 0, 10)), "water")
scoring = [Depth("depth_dose", 20, radius=8, bins=400)]


def project(energy, spread):
    """Both in MeV."""
    return Project(Beam("proton", energy, spread=spread), [water], scoring, title="Commissioning")


hidden = np.random.default_rng(1946)
true_energy, true_spread = 150 + hidden.uniform(-2, 2), hidden.uniform(0.6, 1.4)
measured_job = client.submit(project(true_energy, true_spread), primaries=1e5, tasks=4, seed=1000).wait()
measured = measured_job.results()["depth_dose"]["Dose"]
measured.plot()
print(measured.readings["R80"])

# %% [markdown]
# **First the energy.** Three energies, and the one of the measured range between them.

# %%
sweep = client.sweep(project(150, 1), {"beam.energy": [146, 150, 154]}, primaries=5e3, tasks=2, seed=1).wait()
table = sweep.table()
energy = float(np.interp(float(measured.readings["R80"]), table["R80"], table["beam.energy"]))
print(f"{energy:.2f} MeV")

# %% [markdown]
# **Then both.** A grid of three energies and three spreads gives the dose in each bin as a quadratic function of both. Gauss-Newton steps find the
# energy, the spread and the scale of the measurement that fit the whole curve best, each bin weighted by its errors.

# %%
jobs, primaries = 1 + len(sweep), 1e5 + 5e3 * len(sweep)


def fit(energies, spreads, histories):
    """Energy and spread that fit best, their covariance, and the fitted curve."""
    global jobs, primaries
    values = {"beam.energy": energies, "beam.energySpread": spreads}
    grid = client.sweep(project(energies[1], spreads[1]), values, primaries=histories, tasks=2, seed=1).wait()
    jobs, primaries = jobs + len(grid), primaries + len(grid) * histories
    pages = [job.results("depth_dose", "Dose")["depth_dose"]["Dose"] for job in grid]
    center, step = np.array([energies[1], spreads[1]]), np.array([energies[2] - energies[1], spreads[2] - spreads[1]])
    at = np.array([[one["beam.energy"], one["beam.energySpread"]] for one in grid.values])
    e, s = ((at - center) / step).T
    quadratic = np.column_stack([np.ones_like(e), e, s, e * e, e * s, s * s])
    terms = np.linalg.lstsq(quadratic, np.array([page.values for page in pages]), rcond=None)[0]
    sigma = np.hypot(measured.errors, pages[len(pages) // 2].errors)
    used = sigma > 0
    e = s = 0.0
    scale = 1.0
    for _ in range(20):
        curve = np.array([1, e, s, e * e, e * s, s * s]) @ terms
        slopes = np.array([[0, 1, 0, 2 * e, s, 0], [0, 0, 1, 0, e, 2 * s]]) @ terms
        jacobian = (np.vstack([scale * slopes, curve]) / sigma.clip(min=1e-300))[:, used].T
        change = np.linalg.lstsq(jacobian, ((measured.values - scale * curve) / sigma.clip(min=1e-300))[used], rcond=None)[0]
        e, s, scale = np.clip(e + change[0], -1.5, 1.5), np.clip(s + change[1], -1.5, 1.5), scale + change[2]
    covariance = np.linalg.inv(jacobian.T @ jacobian)[:2, :2] * np.outer(step, step)
    return center + step * [e, s], covariance, scale * curve, sigma


(energy, spread), *_ = fit(energy + np.array([-0.8, 0, 0.8]), np.array([0.4, 1.0, 1.6]), 1.5e4)
print(f"{energy:.3f} MeV, spread {spread:.3f} MeV")

# %% [markdown]
# **Once more, nearer**, with more histories. The errors take the bins for independent. A proton deposits dose in all bins that it passes, so the true
# errors are a few times larger.

# %%
around = np.array([-1, 0, 1])
(energy, spread), covariance, curve, sigma = fit(energy + 0.3 * around, spread + 0.25 * around, 2.5e4)
error = np.sqrt(np.diag(covariance))
print(f"energy {energy:.3f} ± {error[0]:.3f} MeV")
print(f"spread {spread:.3f} ± {error[1]:.3f} MeV, {100 * spread / energy:.3f} ± {100 * error[1] / energy:.3f} %")
print(f"{jobs} jobs, {primaries:.2g} primaries")

# %%
depth = measured.axes[0].centers
figure, (above, below) = plt.subplots(2, 1, sharex=True, height_ratios=(3, 1), figsize=(6, 5))
above.errorbar(depth, measured.values, measured.errors, fmt=".", markersize=3, label="measured")
above.plot(depth, curve, label=f"{energy:.2f} MeV, spread {100 * spread / energy:.2f} %")
above.set(ylabel=measured.label, xlim=(12, 18))
above.legend()
below.plot(depth, (measured.values - curve) / sigma, ".", markersize=3)
below.axhline(0, color="grey", linewidth=1)
below.set(xlabel=measured.axes[0].label, ylabel="rest [σ]", ylim=(-4, 4))
figure.align_ylabels()

# %% [markdown]
# The beam behind the measured curve:

# %%
print(f"energy {true_energy:.3f} MeV, spread {true_spread:.3f} MeV, {100 * true_spread / true_energy:.3f} %")
assert jobs <= 60 and abs(energy - true_energy) < 0.05
assert abs(spread / energy - true_spread / true_energy) < 0.0005
