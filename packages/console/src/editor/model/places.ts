/** Where the parts of a project stand. */
export const FIGURES = '/figureManager/figures';
export const ZONES = '/zoneManager/zones';
export const WORLD = '/zoneManager/worldZone';
export const DETECTORS = '/detectorManager/detectors';
export const MATERIALS = '/materialManager/materials';
export const OUTPUTS = '/scoringManager/outputs';
export const FILTERS = '/scoringManager/filters';

/** An identifier as the field's editor makes them; also where the page has come over plain HTTP. */
export function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40; // version 4, RFC 9562
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
