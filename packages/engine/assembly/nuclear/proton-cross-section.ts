// Nuclear cross sections of protons, millibarn. Non-elastic: ICRU 63 averages; other elements scaled from oxygen.

const ENERGY: StaticArray<f64> = [7, 10, 15, 20, 30, 40, 50, 60, 80, 100, 125, 150, 200, 250];
const POINTS: i32 = 14;

/** Rows of Z and the cross section at ENERGY. Iron above 150 MeV is held (the tabulated rise is an artefact). */
const REACTION: StaticArray<f64> = [
  6, 320, 320, 382, 441, 401, 363, 334, 306, 256, 227, 223, 222, 210, 210, 7, 356, 415, 481, 519, 472, 424, 362, 330,
  279, 260, 257, 257, 257, 257, 8, 208, 425, 518, 535, 501, 449, 401, 362, 313, 297, 295, 295, 295, 295, 13, 653, 732,
  764, 760, 686, 626, 575, 515, 454, 421, 400, 399, 400, 400, 14, 573, 797, 878, 850, 724, 650, 575, 517, 466, 431, 409,
  410, 424, 424, 15, 506, 620, 716, 766, 795, 743, 688, 643, 558, 488, 450, 441, 440, 443, 20, 382, 703, 838, 843, 880,
  812, 755, 706, 631, 583, 553, 537, 529, 535, 26, 620, 832, 985, 1012, 986, 942, 898, 857, 783, 726, 683, 672, 672,
  672, 29, 626, 920, 1110, 1173, 1171, 1084, 971, 899, 832, 780, 743, 739, 739, 739, 74, 19, 288, 1033, 1289, 1681,
  1800, 1830, 1830, 1799, 1756, 1686, 1631, 1602, 1600, 82, 11, 211, 973, 1485, 1939, 2081, 2071, 2008, 1934, 1842,
  1744, 1688, 1685, 1702,
];
const ROW: i32 = 15;
const OXYGEN: i32 = 2;

/** p–O elastic (hadronic) cross section, MeV and barn. */
const ELASTIC: StaticArray<f64> = [
  10, 1.02, 20, 1.13, 30, 1.06, 40, 0.96, 50, 0.82, 70, 0.61, 100, 0.35, 150, 0.159, 200, 0.102, 250, 0.092,
];

function tabulated(row: i32, energy: f64): f64 {
  if (energy < ENERGY[0]) return 0;
  let i = 0;
  while (i < POINTS - 2 && ENERGY[i + 1] < energy) i++;
  const x = Math.min(1, (energy - ENERGY[i]) / (ENERGY[i + 1] - ENERGY[i]));
  const low = REACTION[row * ROW + 1 + i];
  return low + x * (REACTION[row * ROW + 2 + i] - low);
}

function nearestRow(z: f64): i32 {
  let best = 0;
  for (let row = 1; row < REACTION.length / ROW; row++) {
    if (Math.abs(REACTION[row * ROW] - z) < Math.abs(REACTION[best * ROW] - z)) best = row;
  }
  return best;
}

/** p + A non-elastic, mb; 0 for hydrogen and below 7 MeV. */
export function protonReactionCrossSection(z: f64, a: f64, energy: f64): f64 {
  if (z < 2) return 0;
  const row = nearestRow(z);
  if (REACTION[row * ROW] == z) return tabulated(row, energy);
  const scale = Math.pow(a / 16, 2.0 / 3.0);
  if (energy >= 30) return tabulated(OXYGEN, energy) * scale;
  return (tabulated(OXYGEN, 30) * scale * tabulated(row, energy)) / tabulated(row, 30);
}

/** p + A elastic, mb; 0 below 10 MeV. */
export function protonElasticCrossSection(a: f64, energy: f64): f64 {
  if (energy < 10 || a < 2) return 0;
  let i = 0;
  const last = ELASTIC.length / 2 - 2;
  while (i < last && ELASTIC[2 * i + 2] < energy) i++;
  const x = Math.min(1, (energy - ELASTIC[2 * i]) / (ELASTIC[2 * i + 2] - ELASTIC[2 * i]));
  const barn = ELASTIC[2 * i + 1] + x * (ELASTIC[2 * i + 3] - ELASTIC[2 * i + 1]);
  return 1000 * barn * Math.pow(a / 16, 2.0 / 3.0);
}

/** p–p elastic, cm² per gram of hydrogen (Fippel and Soukup 2004); 0 below 10 MeV. */
export function protonHydrogenSigma(energy: f64): f64 {
  if (energy < 10) return 0;
  return (0.315 * Math.pow(energy, -1.126) + 3.78e-6 * energy) / 0.1119;
}
