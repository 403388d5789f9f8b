// Mass excesses of nuclei: measured for light ones, liquid drop beyond. They decide which emissions are open and what they cost.

/** Heaviest nucleus of the tables below. */
export const MAX_NUCLEUS_CHARGE: i32 = 99;
export const MAX_NUCLEUS_MASS: i32 = 260;

/** Z, A, mass excess in MeV (AME 2020, rounded): what is bound, and the unbound nuclei that break-up passes through. */
const MEASURED: StaticArray<f64> = [
  0, 1, 8.0713, 1, 1, 7.289, 1, 2, 13.1357, 1, 3, 14.9498, 2, 3, 14.9312, 2, 4, 2.4249, 2, 5, 11.231, 2, 6, 17.5921, 3,
  5, 11.679, 3, 6, 14.0869, 3, 7, 14.9071, 3, 8, 20.9458, 3, 9, 24.954, 4, 6, 18.375, 4, 7, 15.769, 4, 8, 4.9417, 4, 9,
  11.3484, 4, 10, 12.6074, 4, 11, 20.177, 5, 8, 22.9216, 5, 9, 12.4165, 5, 10, 12.0506, 5, 11, 8.6677, 5, 12, 13.3694,
  5, 13, 16.562, 6, 9, 28.911, 6, 10, 15.6986, 6, 11, 10.6494, 6, 12, 0, 6, 13, 3.125, 6, 14, 3.0199, 6, 15, 9.8731, 7,
  12, 17.338, 7, 13, 5.3455, 7, 14, 2.8634, 7, 15, 0.1014, 7, 16, 5.6839, 7, 17, 7.87, 8, 13, 23.115, 8, 14, 8.0078, 8,
  15, 2.8556, 8, 16, -4.737, 8, 17, -0.8088, 8, 18, -0.7828, 8, 19, 3.333, 9, 17, 1.9517, 9, 18, 0.8731, 9, 19, -1.4874,
  9, 20, -0.0174, 9, 21, -0.0476, 10, 18, 5.3176, 10, 19, 1.7521, 10, 20, -7.0419, 10, 21, -5.7318, 10, 22, -8.0247, 10,
  23, -5.154, 11, 21, -2.1846, 11, 22, -5.1815, 11, 23, -9.5298, 11, 24, -8.4179, 12, 22, -0.3996, 12, 23, -5.4727, 12,
  24, -13.9336, 12, 25, -13.1928, 12, 26, -16.2145, 13, 24, -0.0476, 13, 25, -8.9157, 13, 26, -12.2101, 13, 27,
  -17.1967, 13, 28, -16.8505, 14, 26, -7.1409, 14, 27, -12.3844, 14, 28, -21.4927, 14, 29, -21.8951, 14, 30, -24.4329,
];

const NEUTRON_EXCESS: f64 = 8.0713;
const HYDROGEN_EXCESS: f64 = 7.289;

const table = new StaticArray<f32>((MAX_NUCLEUS_CHARGE + 1) * (MAX_NUCLEUS_MASS + 1));

/** Liquid drop (Weizsäcker): volume, surface, Coulomb, asymmetry and pairing terms, MeV. */
function liquidDrop(z: i32, a: i32): f64 {
  const mass = <f64>a;
  const charge = <f64>z;
  const root = Math.pow(mass, 1.0 / 3.0);
  const neutrons = mass - charge;
  const excess = neutrons - charge;
  let binding = 15.75 * mass - 17.8 * root * root - (0.711 * charge * (charge - 1)) / root;
  binding -= (23.7 * excess * excess) / mass;
  if (z % 2 == 0 && (a - z) % 2 == 0) binding += 11.2 / Math.sqrt(mass);
  if (z % 2 == 1 && (a - z) % 2 == 1) binding -= 11.2 / Math.sqrt(mass);
  return charge * HYDROGEN_EXCESS + neutrons * NEUTRON_EXCESS - binding;
}

/** Fills the table. */
export function prepareMasses(): void {
  for (let z = 0; z <= MAX_NUCLEUS_CHARGE; z++) {
    for (let a = 1; a <= MAX_NUCLEUS_MASS; a++) {
      table[z * (MAX_NUCLEUS_MASS + 1) + a] = z > a ? 1000 : <f32>liquidDrop(z, a);
    }
  }
  // nothing is bound without protons or without neutrons
  for (let a = 1; a <= MAX_NUCLEUS_MASS; a++) table[a] = <f32>(<f64>a * NEUTRON_EXCESS);
  for (let z = 2; z <= MAX_NUCLEUS_CHARGE; z++)
    table[z * (MAX_NUCLEUS_MASS + 1) + z] = <f32>(<f64>z * (HYDROGEN_EXCESS + 1));
  for (let i = 0; i < MEASURED.length; i += 3) {
    table[<i32>MEASURED[i] * (MAX_NUCLEUS_MASS + 1) + <i32>MEASURED[i + 1]] = <f32>MEASURED[i + 2];
  }
}

/** Mass excess, MeV, of a nucleus with 0 ≤ Z ≤ A. */
export function massExcess(z: i32, a: i32): f64 {
  return <f64>table[z * (MAX_NUCLEUS_MASS + 1) + a];
}

/** Number of measured nuclei, and Z (item 0) or A (item 1) of one. */
export function measuredNuclei(): i32 {
  return MEASURED.length / 3;
}

export function measuredNucleus(i: i32, item: i32): i32 {
  return <i32>MEASURED[3 * i + item];
}
