import { sql } from '@tally/service-kit';
import type { PublicJwk, SigningKey } from '../domain/key/signing-key.js';
import type { SigningKeyStore } from '../domain/ports.js';
import type { Database } from './database.js';

interface Row {
  readonly kid: string;
  readonly public_jwk: PublicJwk;
  readonly sealed_private: Buffer;
  readonly encryption_key_id: string;
  readonly created_at: Date;
  readonly signs_from: Date;
  readonly verifies_until: Date | null;
}

const readKey = (row: Row): SigningKey => ({
  kid: row.kid,
  publicJwk: row.public_jwk,
  sealedPrivate: { bytes: new Uint8Array(row.sealed_private), encryptionKeyId: row.encryption_key_id },
  createdAt: row.created_at,
  signsFrom: row.signs_from,
  ...(row.verifies_until === null ? {} : { verifiesUntil: row.verifies_until }),
});

const COLUMNS = sql`kid, public_jwk, sealed_private, encryption_key_id, created_at, signs_from, verifies_until`;

function insertKey({ kid, publicJwk, sealedPrivate, createdAt, signsFrom, verifiesUntil }: SigningKey) {
  return sql`
    INSERT INTO signing_keys (${COLUMNS})
    VALUES (${kid}, ${JSON.stringify(publicJwk)}::jsonb, ${sealedPrivate.bytes}, ${sealedPrivate.encryptionKeyId},
      ${createdAt}, ${signsFrom}, ${verifiesUntil ?? null})
    ON CONFLICT DO NOTHING`;
}

/** Signing keys in PostgreSQL. An index lets at most one of them have no end. */
export function createSigningKeyStore(db: Database): SigningKeyStore {
  return {
    async listLive(now) {
      const rows = await db.rows(sql<Row>`
        SELECT ${COLUMNS} FROM signing_keys WHERE verifies_until IS NULL OR verifies_until > ${now}
        ORDER BY signs_from DESC`);
      return rows.map(readKey);
    },
    createFirst: async (key) => (await db.run(insertKey(key))) === 1,
    rotate: (key, othersVerifyUntil) =>
      db.transact(async (transaction) => {
        // the later of two rotations waits here for the earlier one, and then its own key finds the place taken
        await transaction.run(sql`
          UPDATE signing_keys SET verifies_until = LEAST(verifies_until, ${othersVerifyUntil})
          WHERE verifies_until IS NULL OR verifies_until > ${othersVerifyUntil}`);
        return (await transaction.run(insertKey(key))) === 1;
      }),
    async listSealedByOthers(encryptionKeyId, rowsMax) {
      const rows = await db.rows(sql<Row>`
        SELECT ${COLUMNS} FROM signing_keys WHERE encryption_key_id <> ${encryptionKeyId} ORDER BY kid LIMIT ${rowsMax}`);
      return rows.map(readKey);
    },
    async reseal(kid, from, { bytes, encryptionKeyId }) {
      await db.run(sql`
        UPDATE signing_keys SET sealed_private = ${bytes}, encryption_key_id = ${encryptionKeyId}
        WHERE kid = ${kid} AND encryption_key_id = ${from}`);
    },
    deleteExpired: (now, rowsMax) =>
      db.run(sql`
        DELETE FROM signing_keys WHERE kid IN (
          SELECT kid FROM signing_keys WHERE verifies_until < ${now} LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED)`),
  };
}
