import { Sql } from '@tally/service-kit';

/** Columns of a table with their types, `'end_time timestamptz'`, by the fields of the rows that hold them; the key is the first. */
type Columns<Row> = { readonly [Field in keyof Row]?: `${string} ${string}` };

/** Statements with one array for each column, however many rows; values of json columns are written as JSON. */
function columnsOf<Row extends object>(columns: Columns<Row>) {
  const parts = (Object.entries(columns) as [keyof Row, string][]).map(([field, text]) => {
    const [name = '', type = ''] = text.split(' ');
    return { field, name, type };
  });
  const names = parts.map(({ name }) => name);
  const arraysOf = (rows: readonly Row[]) =>
    parts.map(({ field, type }) =>
      rows.map((row) => {
        const value = row[field];
        return type === 'json' && value !== null ? JSON.stringify(value) : value;
      }),
    );
  /** Pieces of text around the arrays of unnest. */
  const unnest = (before: string, after: string) => {
    const types = parts.map(({ type }) => `::${type}[]`);
    return [`${before} FROM unnest(`, ...types.slice(0, -1).map((type) => `${type}, `), `${types.at(-1)})${after}`];
  };
  return { names, arraysOf, unnest };
}

/**
 * How rows of a table get new values, by their keys. Rows are named by an array of their keys besides the join with their new values:
 * else the planner may read all of a table that it knows as almost empty.
 * @param columns - the key, and what is written
 */
export function updaterOf<Row extends object>(table: string, columns: Columns<Row>): (rows: readonly Row[]) => Sql {
  const { names, arraysOf, unnest } = columnsOf(columns);
  const [key = '', ...written] = names;
  const set = written.map((name) => `${name} = said.${name}`).join(', ');
  const strings = [
    ...unnest(`UPDATE ${table} SET ${set}`, ` AS said (${names.join(', ')}) WHERE ${table}.${key} = ANY(`),
    `) AND ${table}.${key} = said.${key}`,
  ];
  return (rows) => {
    const arrays = arraysOf(rows);
    return new Sql(strings, [...arrays, arrays[0]]);
  };
}

/** How rows are added to a table. */
export function inserterOf<Row extends object>(table: string, columns: Columns<Row>): (rows: readonly Row[]) => Sql {
  const { names, arraysOf, unnest } = columnsOf(columns);
  const strings = unnest(`INSERT INTO ${table} (${names.join(', ')}) SELECT *`, '');
  return (rows) => new Sql(strings, arraysOf(rows));
}
