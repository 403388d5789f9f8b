// Pieces of Python source.

const LINE_LENGTH = 118;

export const GENERATED = (from) => `# Generated from ${from} by \`pnpm gen\`; not to be edited.\n`;

/** Words on lines that are not too long, each with a prefix. */
export function wrap(text, prefix) {
  const lines = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((one) => one !== '')) {
    if (line !== '' && prefix.length + line.length + 1 + word.length > LINE_LENGTH) {
      lines.push(prefix + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, prefix + line];
}

/** A docstring; paragraphs are kept apart. */
export function docstring(text, indent) {
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").trim();
  const paragraphs = safe.split(/\n\s*\n/).map((one) => wrap(one, indent));
  const lines = paragraphs.flatMap((one, i) => (i === 0 ? one : ['', ...one]));
  const [first = ''] = lines;
  if (lines.length === 1 && first.length + 6 <= LINE_LENGTH) {
    const text = first.trim();
    return [`${indent}"""${text}${text.endsWith('"') ? ' ' : ''}"""`];
  }
  return [`${indent}"""${first.trim()}`, ...lines.slice(1), `${indent}"""`];
}

/** `getJobsDirect` and `Idempotency-Key` as Python names functions and arguments. */
export function snakeCase(name) {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/[^A-Za-z0-9]+/g, '_');
  return safeName(words.toLowerCase());
}

const KEYWORDS = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield None True False'.split(
    ' ',
  ),
);

export const isName = (text) => /^[A-Za-z_]\w*$/.test(text) && !KEYWORDS.has(text);
export const safeName = (text) => (KEYWORDS.has(text) ? `${text}_` : text);
export const pascalCase = (text) =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
export const quote = (value) =>
  typeof value === 'string' ? JSON.stringify(value) : value === true ? 'True' : value === false ? 'False' : `${value}`;
