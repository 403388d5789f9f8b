// The tables that stand in for Geant4's data sets, from those of the built-in engine.
import fs from 'node:fs';
import path from 'node:path';
import { transformSync } from 'esbuild';

const ENGINE = path.join(import.meta.dirname, '../../../packages/engine/assembly');
const CHARGE_MAX = 92;
/** MeV; absorption of slow neutrons needs a few points of its own. */
const NEUTRON_MEV = [
  1e-11, 2.53e-8, 1e-6, 1e-4, 0.01, 0.05, 0.1, 0.2, 0.35, 0.45, 0.6, 0.8, 1, 1.2, 1.35, 1.6, 1.9, 2.35, 2.8, 3.3, 3.8,
  4.5, 5.5, 6.5, 7.5, 9, 11, 14, 17, 20,
];

/** The engine's tables are in the part of AssemblyScript that JavaScript has, too. */
async function load(file) {
  const source = fs.readFileSync(path.join(ENGINE, file), 'utf8');
  const { code } = transformSync(source, { loader: 'ts' });
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}

/** Mass number of the most stable nucleus, by the formula of Bethe and Weizsäcker. */
const massNumber = (z) => {
  let a = z;
  const charge = (mass) => mass / (1.98 + 0.0155 * mass ** (2 / 3));
  while (charge(a) < z) a += 1;
  return a;
};

const rounded = (value) => Number(value.toPrecision(5));

/** Bremsstrahlung: χ in mb, element, energy, share. Neutrons: mb of each element from hydrogen on, at the energies. */
export async function ownTables() {
  const brems = await load('electron/bremsstrahlung-data.ts');
  const neutron = await load('nuclear/neutron-cross-section.ts');
  const rows = (of) =>
    Array.from({ length: CHARGE_MAX }, (_, i) =>
      NEUTRON_MEV.map((energy) => rounded(of(i + 1, i === 0 ? 1 : massNumber(i + 1), energy))),
    );
  return {
    bremsstrahlung: {
      source: 'Seltzer and Berger, Nucl. Instrum. Methods B 12 (1985) 95, as the built-in engine of Tally has it',
      charges: brems.CHI_CHARGE,
      energiesMev: brems.CHI_ENERGY,
      shares: brems.CHI_SHARE,
      scaledMb: brems.CHI,
    },
    neutrons: {
      source:
        'the built-in engine of Tally: Gammel (1963) on hydrogen, group averages of ENDF/B to 14 MeV, Barashenkov (1993) above, absorption 1/v from Sears, Neutron News 3 (1992) 26',
      energiesMev: NEUTRON_MEV,
      elastic: rows(neutron.neutronElastic),
      inelastic: rows(neutron.neutronNonElastic),
      capture: rows((z, _, energy) => neutron.neutronAbsorption(z, energy)),
    },
  };
}

export function format(tables) {
  return `${JSON.stringify(tables, undefined, 1).replaceAll(/\n\s+(?=[-\d\]])/g, ' ')}\n`;
}
