import { connect } from 'node:net';
import { recordExchange } from '@tally/testkit';

/** Sends bytes as they are and returns everything that comes back until the connection closes. */
export function sendRaw(port: number, request: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      const answer = Buffer.concat(chunks).toString('utf8');
      noteExchange(request, answer);
      resolve(answer);
    });
  });
}

/** Status and JSON body of an answer that `sendRaw` returned. */
export function parseRaw(answer: string): { status: number; head: string; body: Record<string, unknown> } {
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  return {
    status: Number(head.split(' ')[1]),
    head,
    body: JSON.parse(rest.join('\r\n\r\n')) as Record<string, unknown>,
  };
}

/** Reads method, path and status off the first lines. */
function noteExchange(request: string | Buffer, answer: string): void {
  const [, method = '', path = ''] = /^([A-Z]+) ([^ ?]+)/.exec(request.toString('latin1').slice(0, 2_000)) ?? [];
  const [, status = ''] = /^HTTP\/1\.1 (\d{3})/.exec(answer) ?? [];
  if (method !== '' && status !== '') recordExchange({ method, path, status: Number(status) });
}
