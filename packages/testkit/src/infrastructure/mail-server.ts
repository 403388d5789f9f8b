import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail that the server has taken. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as they came. */
  readonly raw: string;
  /** Value of a header, unfolded; undefined: there is none. */
  header(name: string): string | undefined;
  /** The part of this type, decoded; undefined: there is none. */
  part(type: string): Buffer | undefined;
}

export interface MailServerUnderTest {
  readonly port: number;
  /** In the order in which they came. */
  readonly mails: readonly ReceivedMail[];
  /** Replaced by tests: runs before a recipient is answered. */
  beforeRecipient: () => Promise<void>;
  /** Replaced by tests: runs when a mail has come whole, before it is kept and answered; what it throws is the answer. */
  beforeAnswer: (mail: ReceivedMail) => Promise<void>;
  /** Replaced by tests: runs when a mail has been kept, before it is answered. */
  afterKept: (mail: ReceivedMail) => Promise<void>;
  stop(): Promise<void>;
}

/** An answer of the server. */
export function smtpAnswer(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

/** A real SMTP server that keeps what it takes. */
export async function startMailServer(options: SMTPServerOptions = {}, port = 0): Promise<MailServerUnderTest> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    ...options,
    onRcptTo(_address, _session, callback) {
      void under.beforeRecipient().then(() => callback(null), callback);
    },
    onData(stream, { envelope }, callback) {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        const mail = readMail(from, to, Buffer.concat(pieces).toString('latin1'));
        under
          .beforeAnswer(mail)
          .then(() => {
            mails.push(mail);
            return under.afterKept(mail);
          })
          .then(
            () => callback(null),
            (err: Error) => callback(err),
          );
      });
    },
  });
  server.on('error', () => undefined); // connections that are cut are part of tests
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const under: MailServerUnderTest = {
    port: (server.server.address() as AddressInfo).port,
    mails,
    beforeRecipient: async () => undefined,
    beforeAnswer: async () => undefined,
    afterKept: async () => undefined,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return under;
}

function readMail(from: string, to: readonly string[], raw: string): ReceivedMail {
  return { from, to, raw, header: (name) => readHeader(raw, name), part: (type) => readPart(raw, type) };
}

function readHeader(text: string, name: string): string | undefined {
  const head = text.slice(0, text.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ');
  const line = head.split('\r\n').find((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  return line?.slice(name.length + 1).trim();
}

/** The first part of this type; parts may have parts (RFC 2046 section 5.1). */
function readPart(entity: string, type: string): Buffer | undefined {
  const contentType = readHeader(entity, 'Content-Type') ?? 'text/plain';
  const body = entity.slice(entity.indexOf('\r\n\r\n') + 4);
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1];
  if (boundary !== undefined) {
    const parts = body.split(`--${boundary}`).slice(1, -1);
    for (const part of parts) {
      const found = readPart(part.replace(/^\r\n/, ''), type);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!contentType.startsWith(type)) return undefined;
  const encoding = readHeader(entity, 'Content-Transfer-Encoding')?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(body, 'base64');
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1');
  const text = body.replaceAll('=\r\n', '');
  return Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}
