import { z } from 'zod';
import { DRIVER_NAMES, type DriverName, type Manifest, type OutputFolder } from '../driver.js';
import { OutputError } from '../output-error.js';

/** Travels with every converted deck; ties estimators and pages to the project's outputs and quantities. */
export const MANIFEST_FILE = 'manifest.json';

const axisSchema = z.object({
  name: z.string(),
  unit: z.string(),
  lower: z.number(),
  upper: z.number(),
  bins: z.int().positive(),
  isLog: z.boolean(),
});

const manifestSchema = z.object({
  driver: z.enum(DRIVER_NAMES),
  estimators: z.array(
    z.object({
      name: z.string(),
      outputUuid: z.string(),
      pages: z.array(
        z.object({
          pageNumber: z.int().positive(),
          name: z.string(),
          quantityUuid: z.string(),
          isAbsolute: z.boolean(),
          scale: z.number().optional(),
          source: z
            .object({
              file: z.string(),
              item: z.string(),
              keyword: z.string(),
              axes: z.array(axisSchema).optional(),
              binVolumeCm3: z.number().positive().optional(),
              densityGcm3: z.number().positive().optional(),
            })
            .optional(),
        }),
      ),
    }),
  ),
});

/** Manifests read last, by their text: that of a job is read after each of its tasks. */
const known = new Map<string, Manifest>();
const KNOWN_MAX = 8;
/** A longer one is not kept. */
const KNOWN_CHARS_MAX = 256 * 1024;

/**
 * The manifest that `driver` made with the deck; `undefined` where the deck is a user's own, who may have any file of
 * that name. The same object for the same text, while it is remembered.
 * @throws OutputError `UNREADABLE` for a manifest of `driver` that is not whole
 */
export async function readManifest(folder: OutputFolder, driver: DriverName): Promise<Manifest | undefined> {
  if (!folder.names.includes(MANIFEST_FILE)) return undefined;
  const text = new TextDecoder().decode(await folder.read(MANIFEST_FILE));
  const manifest = known.get(text) ?? parseManifest(text, driver);
  if (manifest?.driver !== driver) return undefined;
  if (text.length <= KNOWN_CHARS_MAX) remember(text, manifest);
  return manifest;
}

function remember(text: string, manifest: Manifest): void {
  known.delete(text);
  known.set(text, manifest); // used last at the end
  const [oldest] = known.keys();
  if (known.size > KNOWN_MAX && oldest !== undefined) known.delete(oldest);
}

function parseManifest(text: string, driver: DriverName): Manifest | undefined {
  const json = parseJson(text);
  if (typeof json !== 'object' || json === null || !('driver' in json) || json.driver !== driver) return undefined;
  const parsed = manifestSchema.safeParse(json);
  if (parsed.success) return dropUndefined(parsed.data);
  throw new OutputError('UNREADABLE', MANIFEST_FILE, 'is not a manifest', { cause: parsed.error });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a user's own file
  }
}

/** The parser's optional values may be `undefined`; a manifest's are there or not. */
function dropUndefined(manifest: z.output<typeof manifestSchema>): Manifest {
  return JSON.parse(JSON.stringify(manifest)) as Manifest;
}
