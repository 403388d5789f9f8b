import { HttpError, type HttpRequest, TallyClient } from '@tally/client';

/** The client, for tests that also send what the document does not describe. */
export class HttpSession extends TallyClient {
  /** The body of an answer that must be 2xx, to a path with its query. @throws HttpError */
  async call<Body = Record<string, unknown>>(method: string, path: string, body?: HttpRequest['body']): Promise<Body> {
    const answer = await this.send<Body & Record<string, unknown>>(method, path, { body });
    if (answer.status >= 300) throw new HttpError(`${method} ${path}`, answer);
    return answer.body;
  }
}
