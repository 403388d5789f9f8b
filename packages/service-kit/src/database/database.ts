import pg from 'pg';
import type { PoolCounts } from '../metrics.js';
import { type CopyValue, copyQuery, readCopy } from './copy.js';
import { orUnavailable } from './fault.js';
import { prepare, type Sql } from './sql.js';

/** The connections of a database. */
export type ConnectionPool = pg.Pool;

/** What statements run on: the database, each by itself, or a transaction. */
export interface Statements {
  /** All rows of the answer. */
  rows<Row>(statement: Sql<Row>): Promise<Row[]>;
  /** The first row of the answer, or undefined when there is none. */
  row<Row>(statement: Sql<Row>): Promise<Row | undefined>;
  /** Number of rows that it changed or found. */
  run(statement: Sql): Promise<number>;
}

/** What statements of a transaction run on. Every wait is a round trip, during which the transaction holds what it has locked. */
export interface Transaction extends Statements {
  /** Rows of each of several statements, in one round trip. */
  rowsOfEach<const S extends readonly Sql[]>(statements: S): Promise<RowsOf<S>>;
  /** Sends statements without waiting; the fault of one is that of the transaction. Resolves when they are done: for who has sent enough. */
  send(statements: readonly Sql[]): Promise<void>;
}

/** Rows of each of several statements. */
export type RowsOf<S extends readonly Sql[]> = {
  -readonly [K in keyof S]: S[K] extends Sql<infer Row> ? Row[] : never;
};

/** What follows from what was loaded: statements to be stored, and the answer, which may need what they return. */
export interface Decision<Result> {
  readonly save: readonly Sql[];
  readonly result: Result | ((saved: readonly unknown[][]) => Result);
}

/** A service's database. Faults that may pass become SERVICE_UNAVAILABLE: the caller may try again. */
export interface Database extends Statements {
  /**
   * Load, decide, store: one READ COMMITTED transaction of two round trips. BEGIN travels with the statements that load
   * (run in their order, each seeing what was committed before it began: lock first, read then), COMMIT with those that
   * save. When `decide` throws, nothing is stored. Without anything to load it is one round trip.
   */
  change<const S extends readonly Sql[], Result>(
    load: S,
    decide: (...loaded: RowsOf<S>) => Decision<Result>,
  ): Promise<Result>;
  /** Rows of each of several statements, each by itself, in one round trip. */
  rowsOfEach<const S extends readonly Sql[]>(statements: S): Promise<RowsOf<S>>;
  /** Columns of all rows of a query in binary form, see {@link readCopy}: for large bytea columns. */
  copy(strings: TemplateStringsArray, ...values: readonly CopyValue[]): Promise<Buffer[][]>;
  /**
   * All or nothing, READ COMMITTED; for what needs more than {@link Database.change} gives. BEGIN travels with the first statements,
   * COMMIT with the last that were sent.
   */
  transact<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /** For a Prisma client on them, see `createPrismaClient`. */
  readonly connections: ConnectionPool;
  /** Resolves when the database answers. */
  check(): Promise<void>;
  /** Its connections now. */
  pool(): PoolCounts;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** postgresql:// URL. */
  readonly url: string;
  readonly connectionsMax: number;
  /** Longest statement; 10 s unless given. */
  readonly statementTimeoutMs?: number;
  /** Longest pause within a transaction; 15 s unless given. */
  readonly idleTransactionTimeoutMs?: number;
  /** Settings of the server for these connections, by their names (PostgreSQL manual, "Server Configuration"). */
  readonly serverSettings?: Readonly<Record<string, string>>;
}

const CONNECT_TIMEOUT_MS = 3_000;
const STATEMENT_TIMEOUT_MS = 10_000;
/** A connection is made in three round trips and a process of the server, and knows no statement yet: it outlasts a pause. */
const IDLE_CONNECTION_MS = 60_000;
/** The server ends a statement, and if nothing is heard of that for so long, the connection is dead: it is given up. */
const ANSWER_MARGIN_MS = 5_000;
/** A transaction that stays idle, because its process hangs, releases its locks. */
const IDLE_TRANSACTION_TIMEOUT_MS = 15_000;

const INT8 = 20;
const INT8_ARRAY = 1016;
const parseInt8Array = (text: string): bigint[] => (text === '{}' ? [] : text.slice(1, -1).split(',').map(BigInt));
const { TIMESTAMPTZ } = pg.types.builtins;
const parseAnyTime = pg.types.getTypeParser(TIMESTAMPTZ) as (text: string) => Date | number | null;
/** A moment of four digits of the year in UTC, as servers write it whose time zone that is, by the parser of Date: twice as fast. */
const parseTime = (text: string) =>
  text.endsWith('+00') && text[4] === '-'
    ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
    : parseAnyTime(text);
const types = new pg.TypeOverrides();
types.setTypeParser(TIMESTAMPTZ, parseTime);
types.setTypeParser(INT8, BigInt);
types.setTypeParser(INT8_ARRAY, parseInt8Array);

const BEGIN = { name: 'begin', text: 'BEGIN', values: [] };
const COMMIT = { name: 'commit', text: 'COMMIT', values: [] };
const ROLLBACK = { name: 'rollback', text: 'ROLLBACK', values: [] };

/** Opens a database; connections are made when they are needed. */
export function openDatabase(options: DatabaseOptions): Database {
  const { statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options;
  const config: pg.PoolConfig & { readonly pipeline: boolean } = {
    connectionString: options.url,
    max: options.connectionsMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + ANSWER_MARGIN_MS,
    idle_in_transaction_session_timeout: options.idleTransactionTimeoutMs ?? IDLE_TRANSACTION_TIMEOUT_MS,
    types,
    pipeline: true,
    options: Object.entries(options.serverSettings ?? {})
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  };
  const pool = new pg.Pool(config);
  // a connection that breaks between statements: the next statement on it fails, and the pool makes another
  pool.on('error', () => {});
  pool.on('connect', (connection) => {
    connection.on('error', () => {});
  });
  const autocommit = statementsOn(pool);
  return {
    rows: (statement) => orUnavailable(() => autocommit.rows(statement)),
    row: (statement) => orUnavailable(() => autocommit.row(statement)),
    run: (statement) => orUnavailable(() => autocommit.run(statement)),
    change: (load, decide) => orUnavailable(() => onConnection(pool, (connection) => change(connection, load, decide))),
    transact: (work) => orUnavailable(() => onConnection(pool, (connection) => transact(connection, work))),
    rowsOfEach: (statements) =>
      orUnavailable(() => onConnection(pool, (connection) => rowsOfEach(connection, statements))),
    copy: (strings, ...values) => {
      const query = copyQuery(strings, ...values);
      return orUnavailable(() => onConnection(pool, (connection) => readCopy(connection, query)));
    },
    connections: pool,
    check: async () => {
      await orUnavailable(() => pool.query('SELECT 1'));
    },
    pool: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  };
}

/** What runs one statement. */
interface Runner {
  query(query: pg.QueryConfig): Promise<pg.QueryResult>;
}

function statementsOn(runner: Runner): Statements {
  const send = (statement: Sql) => runner.query(prepare(statement) as pg.QueryConfig);
  return {
    rows: async <Row>(statement: Sql<Row>) => (await send(statement)).rows as Row[],
    row: async <Row>(statement: Sql<Row>) => (await send(statement)).rows[0] as Row | undefined,
    run: async (statement) => (await send(statement)).rowCount ?? 0,
  };
}

async function onConnection<T>(pool: pg.Pool, work: (connection: pg.PoolClient) => Promise<T>): Promise<T> {
  const connection = await pool.connect();
  let failure: unknown;
  try {
    return await work(connection);
  } catch (err) {
    failure = err;
    throw err;
  } finally {
    // one whose transaction could not be ended is not used again
    connection.release(failure instanceof UnendedTransaction);
  }
}

/** The state of the connection is unknown. */
class UnendedTransaction extends Error {
  override readonly name = 'UnendedTransaction';
}

/** Sends statements in one packet; resolves to the rows of each. @throws the first failure, when all are answered */
async function flush(
  connection: pg.PoolClient,
  queries: readonly { readonly text: string; readonly values: readonly unknown[] }[],
): Promise<unknown[][]> {
  // the socket of pg's connection, which its types do not name; without it every message is a packet of its own
  const { stream } = (connection as unknown as { connection: { stream: { cork(): void; uncork(): void } } }).connection;
  stream.cork();
  let answers: Promise<pg.QueryResult<pg.QueryResultRow>>[];
  try {
    answers = queries.map((query) => connection.query(query as pg.QueryConfig));
  } finally {
    stream.uncork();
  }
  const settled = await Promise.allSettled(answers);
  return settled.map((answer) => {
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value.rows;
  });
}

/** Runs the body of a transaction that has begun; when it fails, the transaction is rolled back. */
async function orRollBack<T>(connection: pg.PoolClient, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (err) {
    await connection.query(ROLLBACK).catch((cause: unknown) => {
      throw new UnendedTransaction('the transaction could not be rolled back', { cause });
    });
    throw err;
  }
}

async function rowsOfEach<S extends readonly Sql[]>(connection: pg.PoolClient, statements: S): Promise<RowsOf<S>> {
  return (await flush(connection, statements.map(prepare))) as RowsOf<S>;
}

function change<const S extends readonly Sql[], Result>(
  connection: pg.PoolClient,
  load: S,
  decide: (...loaded: RowsOf<S>) => Decision<Result>,
): Promise<Result> {
  return orRollBack(connection, async () => {
    const begin = load.length === 0 ? [BEGIN] : [];
    const [, ...loaded] = load.length === 0 ? [] : await flush(connection, [BEGIN, ...load.map(prepare)]);
    const { save, result } = decide(...(loaded as RowsOf<S>));
    // a statement that fails turns the COMMIT behind it into a ROLLBACK
    const saved = (await flush(connection, [...begin, ...save.map(prepare), COMMIT])).slice(begin.length, -1);
    return typeof result === 'function' ? (result as (saved: unknown[][]) => Result)(saved) : result;
  });
}

/**
 * Sends BEGIN, what the work sends, and COMMIT, and waits for all of it. In PostgreSQL a statement that fails turns all behind it
 * into failures, and COMMIT into a ROLLBACK: the first fault, in the order in which they were sent, is the reason.
 */
function transact<Result>(
  connection: pg.PoolClient,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const sent: Promise<void>[] = [];
  /** Only whether it failed is kept of an answer: rows may be large. */
  const note = <T>(answer: Promise<T>): Promise<T> => {
    const done = answer.then(() => {});
    done.catch(() => {}); // looked at in the end
    sent.push(done);
    return answer;
  };
  const inOrder = async () => {
    for (const done of sent) await done;
  };
  const flushed = (statements: readonly Sql[]) => note(flush(connection, statements.map(prepare)));
  const single = statementsOn({ query: (query) => note(connection.query(query)) });
  const transaction: Transaction = {
    ...single,
    rowsOfEach: async <S extends readonly Sql[]>(statements: S) => (await flushed(statements)) as RowsOf<S>,
    send: (statements) => {
      const done = flushed(statements).then(() => {});
      done.catch(() => {}); // whoever does not wait for it hears of it in the end
      return done;
    },
  };
  return orRollBack(connection, async () => {
    note(connection.query(BEGIN)).catch(() => {});
    let result: Result;
    try {
      result = await work(transaction);
    } catch (err) {
      await inOrder();
      throw err;
    }
    note(connection.query(COMMIT)).catch(() => {});
    await inOrder();
    return result;
  });
}
