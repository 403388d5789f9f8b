import pg from 'pg';

/** What {@link copyQuery} takes into its text: whole numbers, lists of them, and lists of such lists (rows of VALUES). */
export type CopyValue = bigint | number | readonly (bigint | number | readonly (bigint | number)[])[];

/**
 * A query for {@link readCopy}. COPY takes no parameters, so its values become part of the text: whole numbers only, `1, 2`
 * for a list and `(1, 2), (3, 4)` for a list of lists.
 * @throws TypeError for anything else
 */
export function copyQuery(strings: TemplateStringsArray, ...values: readonly CopyValue[]): string {
  const [first = '', ...rest] = strings;
  const query = values.reduce<string>((text, value, at) => `${text}${writeValue(value)}${rest[at] ?? ''}`, first);
  return `COPY (${query}) TO STDOUT (FORMAT binary)`;
}

function writeValue(value: CopyValue): string {
  if (typeof value !== 'object') return writeNumber(value);
  const items = value.map((item) =>
    typeof item === 'object' ? `(${item.map(writeNumber).join(', ')})` : writeNumber(item),
  );
  return items.join(', ');
}

function writeNumber(value: bigint | number): string {
  if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) throw new TypeError('COPY takes whole numbers only');
  return String(value);
}

/**
 * The columns of all rows of a query as PostgreSQL's binary COPY gives them: bytea as it is, integers in big-endian order.
 * For large bytea columns, which rows bring as text of twice the size. Holds the whole answer in memory.
 */
export async function readCopy(connection: pg.ClientBase, query: string): Promise<Buffer[][]> {
  const messages: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    // pg's own query without parameters; what it does with the data of a COPY is nothing, so it is told here
    const copy = new pg.Query(query, (err: Error | undefined) => (err ? reject(err) : resolve()));
    // pg uses the memory of a message again
    Object.assign(copy, { handleCopyData: ({ chunk }: { chunk: Buffer }) => messages.push(Buffer.from(chunk)) });
    connection.query(copy);
  });
  return parseCopy(messages);
}

/** Signature, flags and length of the header's extension (PostgreSQL manual, COPY, "Binary Format"). */
const SIGNATURE_BYTES = 15;

/**
 * A message is a row, as PostgreSQL sends them, the first one behind the header; the last one is the end mark. (The protocol
 * leaves it open how rows are cut into messages: should a server cut them otherwise, this throws.)
 */
function parseCopy(messages: readonly Buffer[]): Buffer[][] {
  const rows: Buffer[][] = [];
  for (const [index, bytes] of messages.entries()) {
    let at = index === 0 ? SIGNATURE_BYTES + 4 + bytes.readInt32BE(SIGNATURE_BYTES) : 0;
    while (at < bytes.byteLength) {
      const columns = bytes.readInt16BE(at);
      at += 2;
      if (columns < 0) return rows;
      const row: Buffer[] = [];
      for (let column = 0; column < columns; column += 1) {
        const length = Math.max(0, bytes.readInt32BE(at)); // -1: NULL, here as nothing
        at += 4 + length;
        if (at > bytes.byteLength) throw new RangeError('a row of COPY that is cut in two');
        row.push(bytes.subarray(at - length, at));
      }
      rows.push(row);
    }
  }
  throw new RangeError('a COPY without its end');
}
