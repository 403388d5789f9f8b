import type { ExportPorts } from '../../domain/result/export-results.js';
import { createHdf5Writer, type Hdf5Limits } from '../hdf5/hdf5-files.js';
import { writeCsv } from './csv.js';
import { writeDicom } from './dicom.js';
import { writeFloat64 } from './float64.js';
import { writeNpz } from './npz.js';

/** What writes each format. Libraries are loaded when a file of their format is first asked for. */
export function createFileWriters(limits: Hdf5Limits): ExportPorts['fileWriters'] {
  return { csv: writeCsv, hdf5: createHdf5Writer(limits), npz: writeNpz, dicom: writeDicom, float64: writeFloat64 };
}
