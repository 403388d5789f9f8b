import { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';
import { type ComposedMail, MailFault, type MailServer, PICTURE_ID } from '../domain/mail/mail.js';

export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** `tls` from the first byte, `starttls` required, or `none`. */
  readonly security: 'tls' | 'starttls' | 'none';
  /** Empty: the server takes mails without. */
  readonly username: string;
  readonly password: string;
  /** Header `From`. */
  readonly from: string;
}

/** Of a connection, and of its first answer, milliseconds: a server in reach answers in less. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Without an answer, milliseconds: servers check contents before they say 250. */
const SILENCE_TIMEOUT_MS = 60_000;

/** A mail server by SMTP, a connection for each mail. @param tryTimeoutMs - of a try: shorter than the mail is held */
export function createMailServer(settings: SmtpSettings, tryTimeoutMs: number): MailServer {
  const { host, port, security, username: user, password: pass, from } = settings;
  return {
    async send(mail, beginHandOver) {
      const transport = createTransport({
        host,
        port,
        secure: security === 'tls',
        requireTLS: security === 'starttls',
        ignoreTLS: security === 'none',
        ...(user === '' ? {} : { auth: { user, pass } }),
        connectionTimeout: CONNECT_TIMEOUT_MS,
        greetingTimeout: CONNECT_TIMEOUT_MS,
        socketTimeout: SILENCE_TIMEOUT_MS,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      const { envelope, message } = await compose(mail, from);
      let handOverFault: unknown;
      /** nodemailer ends the message with the dot when this ends. */
      async function* body() {
        yield message;
        try {
          await beginHandOver();
        } catch (err) {
          handOverFault = err;
          throw err;
        }
      }
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new MailFault('the server takes too long', false)), tryTimeoutMs);
      });
      try {
        const { response } = await Promise.race([transport.sendMail({ envelope, raw: Readable.from(body()) }), late]);
        return response;
      } catch (err) {
        throw handOverFault ?? toFault(err);
      } finally {
        clearTimeout(timer);
        transport.close();
      }
    },
  };
}

/** A mail as bytes: text and HTML, and the picture that the HTML shows. */
async function compose(mail: ComposedMail, from: string) {
  const { picture, ...rest } = mail;
  const node = new MailComposer({
    ...rest,
    from,
    // nobody answers: no out-of-office (RFC 3834 section 2)
    headers: { 'Auto-Submitted': 'auto-generated' },
    attachments:
      picture === undefined
        ? []
        : [
            {
              cid: PICTURE_ID,
              filename: `${PICTURE_ID}.png`,
              contentType: 'image/png',
              contentDisposition: 'inline' as const,
              content: Buffer.from(picture),
            },
          ],
  }).compile();
  return { envelope: node.getEnvelope(), message: await node.build() };
}

function toFault(err: unknown): Error {
  if (err instanceof MailFault) return err;
  const { message, responseCode } = err as Error & { readonly responseCode?: number };
  // 5yz to our login is a fault of the configuration, which an operator mends (RFC 4954 section 6)
  const isPermanent = responseCode !== undefined && responseCode >= 500 && ![530, 534, 535, 538].includes(responseCode);
  return new MailFault(message, isPermanent, { cause: err });
}
