'use strict';
// @prisma/adapter-pg made fit for the schema engine. Every departure from the stock adapter is a defect of version
// 7.10.0 that stops migrations; see ADR 0006. Do not simplify one away.
const { PrismaPg } = require('@prisma/adapter-pg');
const { ColumnTypeEnum } = require('@prisma/driver-adapter-utils');
const { pg, adminConfig, quoteIdent } = require('./pg-url.cjs');

const OID_INTERNAL_CHAR = 18; // "char", the one-byte type of the catalogue (pg_type.dat)
const OID_TEXT = 25;

/** Catalogue queries return the internal "char", which the adapter rejects: read it as text, report it as Character. */
function mapInternalChar(queryable) {
  const performIO = queryable.performIO.bind(queryable);
  const queryRaw = queryable.queryRaw.bind(queryable);
  const charColumns = new WeakMap();
  queryable.performIO = async (query) => {
    const result = await performIO(query);
    result.fields?.forEach((field, index) => {
      if (field.dataTypeID !== OID_INTERNAL_CHAR) return;
      field.dataTypeID = OID_TEXT;
      charColumns.set(query, [...(charColumns.get(query) ?? []), index]);
    });
    return result;
  };
  queryable.queryRaw = async (query) => {
    const result = await queryRaw(query);
    for (const index of charColumns.get(query) ?? []) result.columnTypes[index] = ColumnTypeEnum.Character;
    return result;
  };
  return queryable;
}

/** Adapter factory with shadow databases and whole scripts. `config` and `schema` as parseUrl gives them. */
class PgMigrationAdapter extends PrismaPg {
  constructor(config, schema) {
    super(config, { schema });
    this.config = config;
    this.schema = schema;
    this.opened = [];
  }

  async connect() {
    const connection = this.adopt(await super.connect());
    if (this.schema !== 'public') {
      await connection.executeScript(`CREATE SCHEMA IF NOT EXISTS ${quoteIdent(this.schema)}`);
    }
    return connection;
  }

  async connectToShadowDb() {
    const admin = new pg.Client(adminConfig(this.config));
    await admin.connect();
    const name = `prisma_migrate_shadow_db_${globalThis.crypto.randomUUID()}`;
    await admin.query(`CREATE DATABASE ${quoteIdent(name)}`);
    const shadow = await new PrismaPg({ ...this.config, database: name }, { schema: this.schema }).connect();
    const dispose = shadow.dispose.bind(shadow);
    // the stock adapter drops the database before it closes its own connections to it
    shadow.dispose = async () => {
      await dispose();
      await admin.query(`DROP DATABASE IF EXISTS ${quoteIdent(name)} WITH (FORCE)`);
      await admin.end();
    };
    return this.adopt(shadow);
  }

  adopt(connection) {
    mapInternalChar(connection);
    const begin = connection.startTransaction.bind(connection);
    connection.startTransaction = async (isolation) => mapInternalChar(await begin(isolation));
    // the stock adapter splits scripts at every ';', also inside $$ bodies and literals: send each as one simple query
    connection.executeScript = async (script) => {
      try {
        await connection.underlyingDriver().query(script);
      } catch (err) {
        this.scriptError = err; // the engine gives neither its words nor its code
        connection.onError(err);
      }
    };
    this.opened.push(connection);
    return connection;
  }

  async disposeAll() {
    // best effort: a connection may be gone with its server, and a shadow database is disposed of twice
    for (const connection of this.opened) await connection.dispose().catch(() => {});
  }
}

/** `migrate diff` between schema files needs no database; the engine only asks for a version when it starts. */
class NoDatabaseAdapter {
  provider = 'postgres';
  adapterName = 'no-database';

  constructor(why) {
    this.why = why;
  }

  async connect() {
    const refuse = async () => {
      throw new Error(`this command needs a database: ${this.why}`);
    };
    return {
      provider: this.provider,
      adapterName: this.adapterName,
      queryRaw: async (query) => {
        if (!query.sql.includes('numeric_version')) return refuse();
        return {
          columnNames: ['exists', 'version', 'numeric_version'],
          columnTypes: [ColumnTypeEnum.Boolean, ColumnTypeEnum.Text, ColumnTypeEnum.Int32],
          rows: [[true, 'PostgreSQL 17.0', 170000]],
        };
      },
      executeRaw: refuse,
      executeScript: refuse,
      startTransaction: refuse,
      getConnectionInfo: () => ({ schemaName: 'public', supportsRelationJoins: true }),
      dispose: async () => {},
    };
  }

  connectToShadowDb() {
    return this.connect();
  }

  async disposeAll() {}
}

module.exports = { PgMigrationAdapter, NoDatabaseAdapter };
