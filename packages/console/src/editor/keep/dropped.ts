import { isProject } from '../../submit/project.js';
import { isObject, type JsonObject, textAt, withValueAt } from '../model/pointer.js';

/** A project out of files, or which of them cannot be read and why. */
export type DroppedProject =
  | { readonly project: JsonObject }
  | { readonly fault: { readonly name: string; readonly why: string | undefined } };

/** Reads a project and the file that it names, a list of spots: the only other one, or the one of that name. */
export function readDroppedProject(files: Readonly<Record<string, string>>): DroppedProject {
  const names = Object.keys(files);
  const name = names.find((one) => /\.json$/i.test(one));
  if (name === undefined) return { fault: { name: names[0] ?? '', why: undefined } };
  try {
    const value: unknown = JSON.parse(files[name] ?? '');
    if (!isProject(value)) return { fault: { name, why: undefined } };
    const others = names.filter((one) => one !== name);
    const wanted = textAt(value, '/beam/sourceFile/name');
    const file = others.find((one) => one === wanted) ?? (others.length === 1 ? others[0] : undefined);
    if (file === undefined) return { project: value };
    const named: unknown = value.beam.sourceFile;
    const source = { ...(isObject(named) ? named : {}), name: file, value: files[file] };
    const project = withValueAt<JsonObject>(value, '/beam/sourceFile', source);
    return { project: withValueAt(project, '/beam/sourceType', 'file') };
  } catch (err) {
    return { fault: { name, why: err instanceof Error ? err.message : String(err) } };
  }
}
