const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];

/** `1.2 MB` */
export function byteWords(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const options = { style: 'unit', unit: UNITS[power] ?? 'byte', maximumSignificantDigits: 3 } as const;
  return new Intl.NumberFormat([], options).format(bytes / 1000 ** power);
}
