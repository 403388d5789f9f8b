// Writes tally_geant4/own_tables.json from the tables of the built-in engine (packages/engine/assembly), which name their sources.
// node simulators/geant4/scripts/write-tables.mjs
import fs from 'node:fs';
import path from 'node:path';
import { format, ownTables } from './own-tables.mjs';

fs.writeFileSync(path.join(import.meta.dirname, '../tally_geant4/own_tables.json'), format(await ownTables()));
