import type { Statements } from '@tally/service-kit';
import type { PublicJwk, SigningKey } from '../domain/key/signing-key.js';
import type { SigningKeyStore } from '../domain/ports.js';
import type { PrismaClient, SigningKey as Row } from '../generated/prisma/client.js';
import { deleteExpiredSigningKeys } from './statements/expired.js';

const readKey = ({ publicJwk, sealedPrivate: bytes, encryptionKeyId, verifiesUntil, ...row }: Row): SigningKey => ({
  ...row,
  publicJwk: publicJwk as PublicJwk,
  sealedPrivate: { bytes, encryptionKeyId },
  ...(verifiesUntil === null ? {} : { verifiesUntil }),
});

/** Adds a key, unless there is another without an end: an index allows one. */
async function addKey(client: Pick<PrismaClient, 'signingKey'>, { sealedPrivate, ...key }: SigningKey) {
  const data = { ...key, sealedPrivate: sealedPrivate.bytes, encryptionKeyId: sealedPrivate.encryptionKeyId };
  const { count } = await client.signingKey.createMany({ data, skipDuplicates: true });
  return count === 1;
}

/** Signing keys in PostgreSQL. */
export function createSigningKeyStore(client: PrismaClient, db: Statements): SigningKeyStore {
  return {
    async listLive(now) {
      const where = { OR: [{ verifiesUntil: null }, { verifiesUntil: { gt: now } }] };
      return (await client.signingKey.findMany({ where, orderBy: { signsFrom: 'desc' } })).map(readKey);
    },
    createFirst: (key) => addKey(client, key),
    rotate: (key, othersVerifyUntil) =>
      client.$transaction(async (transaction) => {
        // the later of two rotations waits here for the earlier one, and then its own key finds the place taken
        await transaction.signingKey.updateMany({
          where: { OR: [{ verifiesUntil: null }, { verifiesUntil: { gt: othersVerifyUntil } }] },
          data: { verifiesUntil: othersVerifyUntil },
        });
        return addKey(transaction, key);
      }),
    async listSealedByOthers(encryptionKeyId, rowsMax) {
      const where = { encryptionKeyId: { not: encryptionKeyId } };
      return (await client.signingKey.findMany({ where, orderBy: { kid: 'asc' }, take: rowsMax })).map(readKey);
    },
    async reseal(kid, from, { bytes: sealedPrivate, encryptionKeyId }) {
      const where = { kid, encryptionKeyId: from };
      await client.signingKey.updateMany({ where, data: { sealedPrivate, encryptionKeyId } });
    },
    deleteExpired: (now, rowsMax) => db.run(deleteExpiredSigningKeys(now, rowsMax)),
  };
}
