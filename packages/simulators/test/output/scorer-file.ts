/** What a scorer of simD writes, by what the heads of real files and the simulator's sources show. */
export interface ScorerFile {
  /** From 4 on rows come with the first index fastest. */
  readonly version: string;
  readonly scorer: string;
  readonly quantity: string;
  readonly unit: string;
  /** Three of them: `X`, `Y`, `Z` or `R`, `Phi`, `Z`. */
  readonly axes: readonly {
    readonly name: string;
    readonly bins: number;
    readonly size: number;
    readonly unit: string;
  }[];
  /** Bins of energy: of the incident track, or before each step. */
  readonly energy?: {
    readonly isIncident: boolean;
    readonly bins: number;
    readonly minMev: number;
    readonly maxMev: number;
  };
  /** Mean of a cell, in our order, and bin of energy; every history scores it. */
  mean(cell: number, bin: number): number;
  readonly primaries: number;
}

/** The CSV, with sums, means and standard deviations. */
export function writeScorer(file: ScorerFile): string {
  const { version, scorer, quantity, unit, axes, energy } = file;
  const [nx = 1, ny = 1, nz = 1] = axes.map(({ bins }) => bins);
  const isBinned = nx * ny * nz > 1;
  const head = [
    `# TOPAS Version: ${version}`,
    '# Parameter File: topas_config.txt',
    `# Results for scorer: ${scorer}`,
    '# Scored in component: Somewhere',
    ...(isBinned
      ? axes.map(
          (axis) => `# ${axis.name} in ${axis.bins} ${axis.bins === 1 ? 'bin ' : 'bins'} of ${axis.size} ${axis.unit}`,
        )
      : []),
    `# ${quantity} ( ${unit} ) : Sum   Mean   Standard_Deviation   `,
  ];
  if (energy !== undefined) {
    const width = (energy.maxMev - energy.minMev) / energy.bins;
    const bins = `${energy.bins} bins of ${Number(width.toPrecision(6))} MeV from ${energy.minMev} MeV to ${energy.maxMev} MeV`;
    head.push(
      ...(energy.isIncident
        ? [
            `# Binned by incident track energy in ${bins}`,
            '# First bin is underflow, next to last bin is overflow, last bin is for case of no incident track.',
          ]
        : [`# Binned by pre-step energy in ${bins}`, '# First bin is underflow, last bin is overflow.']),
    );
  }
  const cells = Array.from({ length: nx * ny * nz }, (_, row): readonly [number, number, number] =>
    Number.parseInt(version, 10) >= 4
      ? [row % nx, Math.floor(row / nx) % ny, Math.floor(row / (nx * ny))]
      : [Math.floor(row / (ny * nz)), Math.floor(row / nz) % ny, row % nz],
  );
  const group = (value: number): readonly number[] => [value * file.primaries, value, 0];
  const rows = cells.map(([x, y, z]) => {
    const cell = x + nx * (y + ny * z);
    if (energy === undefined) return [...(isBinned ? [x, y, z] : []), ...group(file.mean(cell, 0))];
    const bins = Array.from({ length: energy.bins }, (_, bin) => group(file.mean(cell, bin)));
    return [...group(7e7), ...bins.flat(), ...group(8e8), ...(energy.isIncident ? group(9e9) : [])];
  });
  return [...head, ...rows.map((row) => row.join(', ')), ''].join('\n');
}
