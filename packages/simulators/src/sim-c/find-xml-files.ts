/** A file that a text of XML reads. */
export interface XmlFile {
  /** From 1. */
  readonly line: number;
  /** What reads it, as it begins: `<!ENTITY`, `<file`. */
  readonly tag: string;
  readonly name: string;
}

/** What is skipped: beginnings and ends of comments, unparsed text and processing instructions. */
const SKIPPED = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;
/** A word, a sign of equality, or a quoted text; not the end of the tag, nor the declarations within a DOCTYPE. */
const TOKEN = /\s*(?:"([^"]*)"|'([^']*)'|(=|[^\s"'=<>[]+))/y;

/**
 * Files that XML reads: external entities, documents' types, modules of a geometry, inclusions. Reads tags as a parser does, so that
 * a quoted `>` ends none; what entities are to be replaced by is looked at, too. Takes as long as the text is.
 */
export function findXmlFiles(text: string): XmlFile[] {
  return scan(text, 1);
}

function scan(text: string, firstLine: number): XmlFile[] {
  const found: XmlFile[] = [];
  let line = firstLine;
  let counted = 0;
  for (let at = text.indexOf('<'); at !== -1; ) {
    line += countLines(text, counted, at);
    counted = at;
    const skipped = SKIPPED.find(([begin]) => text.startsWith(begin, at));
    if (skipped !== undefined) {
      const end = text.indexOf(skipped[1], at + skipped[0].length);
      if (end === -1) return found;
      at = text.indexOf('<', end);
      continue;
    }
    const { tag, tokens, end } = readTag(text, at + 1);
    for (const name of namesOf(tag, tokens)) found.push({ line, tag: `<${tag}`, name });
    for (const { quoted } of tokens) if (quoted?.includes('<') === true) found.push(...scan(quoted, line));
    at = text.indexOf('<', Math.max(end, at + 1));
  }
  return found;
}

interface Token {
  readonly word?: string;
  readonly quoted?: string;
}

function readTag(
  text: string,
  start: number,
): { readonly tag: string; readonly tokens: readonly Token[]; readonly end: number } {
  const tokens: Token[] = [];
  TOKEN.lastIndex = start;
  let end = start;
  for (let token = TOKEN.exec(text); token !== null; token = TOKEN.exec(text)) {
    end = TOKEN.lastIndex;
    const [, double, single, word] = token;
    tokens.push(word === undefined ? { quoted: double ?? single ?? '' } : { word });
  }
  return { tag: tokens[0]?.word ?? '', tokens: tokens.slice(1), end };
}

function namesOf(tag: string, tokens: readonly Token[]): string[] {
  const kind = tag.toLowerCase();
  if (kind.startsWith('!')) return identifiersOf(tokens);
  const attribute = kind === 'file' ? 'name' : /^(?:\w+:)?include$/.test(kind) ? 'href' : undefined;
  if (attribute === undefined) return [];
  return tokens.flatMap(({ word }, index) =>
    word?.toLowerCase() === attribute && tokens[index + 1]?.word === '=' ? [tokens[index + 2]?.quoted ?? ''] : [],
  );
}

/** `SYSTEM "file"` and `PUBLIC "name" "file"`. */
function identifiersOf(tokens: readonly Token[]): string[] {
  return tokens.flatMap(({ word }, index) => {
    const at = { SYSTEM: 1, PUBLIC: 2 }[word?.toUpperCase() ?? ''];
    const file = at === undefined ? undefined : tokens[index + at]?.quoted;
    return file === undefined ? [] : [file];
  });
}

function countLines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
