import { expect, it } from '@jest/globals';
import { commandName } from './ssh-metrics.js';

it.each([
  [['squeue', '--me'], 'squeue'],
  [['env', 'SLURM_BITSTR_LEN=0', 'sacct', '--jobs=1'], 'sacct'],
  [['env', 'LC_ALL=C', 'find', '-P', '/a=b'], 'find'],
  [['/opt/slurm/bin/sbatch'], 'sbatch'],
  [['timeout', '-k', '5', '20', 'sbatch', '--parsable'], 'sbatch'],
  [[], ''],
])('the name of %j is %j', (argv, name) => expect(commandName(argv)).toBe(name));
