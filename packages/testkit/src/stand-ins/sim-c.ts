import { readFileSync } from 'node:fs';
import process from 'node:process';
import { runStandIn, standInValue } from './run-stand-in.js';
import { sayVersionIfAsked } from './say-version.js';

const UNITS: Readonly<Record<string, string>> = { doseDeposit: 'Gy', energyDeposit: 'MeV', cellFlux: 'percm2' };
const AXES: Readonly<Record<string, string>> = {
  boxMesh: 'iX, iY, iZ',
  cylinderMesh: 'iZ, iPHI, iR',
  realWorldLogVol: 'i, i, i',
};

/** A mesh with the units of its scorers by name. */
interface Mesh {
  readonly kind: string;
  /** As in the dump: the last index fastest. */
  bins: readonly number[];
  readonly units: Map<string, string>;
}

sayVersionIfAsked('simC');
const macro = process.argv[process.argv.indexOf('--macro') + 1] ?? '';
const commands = readCommands(macro);
const argumentsOf = (name: string): readonly string[] => commands.find(([first]) => first === name)?.slice(1) ?? [];
const seed = argumentsOf('/random/setSeeds')[0] ?? '1';
const primaries = Number(argumentsOf('/run/beamOn')[0]);
const verbosity = Number(argumentsOf('/run/verbose')[0] ?? 0);

process.stdout.write('### Run 0 starts.\n');
runStandIn({
  seed,
  primaries,
  printProgress(done) {
    process.stdout.write(`--> Event ${done} starts.\n`);
  },
  writeOutputs(simulated) {
    if (verbosity >= 1) process.stdout.write(`Run Summary\n  Number of events processed : ${simulated}\n`);
    const meshes = readMeshes();
    return new Map(
      commands
        .filter(([name]) => name === '/score/dumpQuantityToFile')
        .map(([, mesh = '', scorer = '', file = '']) => [file, Buffer.from(writeDump(mesh, scorer, meshes.get(mesh)))]),
    );
  },
});

/** Words of the commands, those of executed macros in their places. */
function readCommands(file: string): string[][] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([name = '', ...words]) =>
      name === '/control/execute' ? readCommands(words[0] ?? '') : [[name, ...words]],
    );
}

function readMeshes(): ReadonlyMap<string, Mesh> {
  const meshes = new Map<string, Mesh>();
  let open: Mesh | undefined;
  for (const [name = '', ...words] of commands) {
    const [, kind] = /^\/score\/create\/(\w+)$/.exec(name) ?? [];
    const [, scorer] = /^\/score\/quantity\/(\w+)$/.exec(name) ?? [];
    if (kind !== undefined) {
      open = { kind, bins: [1, 1, 1], units: new Map() };
      meshes.set(words[0] ?? '', open);
    } else if (open !== undefined && name === '/score/mesh/nBin') {
      const [first = 1, second = 1, third = 1] = words.map(Number);
      // cylinders are asked for as R, Z, phi and dumped as Z, phi, R
      open.bins = open.kind === 'cylinderMesh' ? [second, third, first] : [first, second, third];
    } else if (scorer !== undefined) open?.units.set(words[0] ?? '', UNITS[scorer] ?? '');
  }
  return meshes;
}

/** Per history the known number, the same in each: sums, and sums of squares, over all of them. */
function writeDump(name: string, scorer: string, mesh: Mesh | undefined): string {
  if (mesh === undefined) throw new Error(`no mesh ${name}`);
  const [ni = 1, nj = 1, nk = 1] = mesh.bins;
  const rows = [
    `# mesh name: ${name}`,
    `# primitive scorer name: ${scorer}`,
    `# ${AXES[mesh.kind] ?? ''}, total(value) [${mesh.units.get(scorer) ?? ''}], total(val^2), entry`,
  ];
  for (let i = 0; i < ni; i += 1) {
    for (let j = 0; j < nj; j += 1) {
      for (let k = 0; k < nk; k += 1) {
        const bin = mesh.kind === 'cylinderMesh' ? k + nk * (j + nj * i) : i + ni * (j + nj * k);
        const value = standInValue(seed, bin);
        rows.push(`${i},${j},${k},${value * primaries},${value * value * primaries},${primaries}`);
      }
    }
  }
  return `${rows.join('\n')}\n`;
}
