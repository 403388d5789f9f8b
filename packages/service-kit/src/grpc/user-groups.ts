/** Groups with the role in each as metadata carry them: `id=role`, comma-separated. */
export function writeGroups(groups: ReadonlyMap<string, string>): string {
  return [...groups].map(([id, role]) => `${id}=${role}`).join(',');
}

/** What {@link writeGroups} wrote; a part that is nothing of the kind is left out. */
export function readGroups(text: string): ReadonlyMap<string, string> {
  const pairs = text.split(',').map((part) => /^([^=,]+)=([^=,]+)$/.exec(part));
  return new Map(pairs.flatMap((pair) => (pair === null ? [] : [[pair[1] ?? '', pair[2] ?? ''] as const])));
}
