import { type ComposedMail, type MailContent, type MailInHand, PICTURE_ID } from './mail.js';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

const FONT = "font-family: system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
const PICTURE_WIDTH_PX = 560;

export interface MailFrame {
  /** Origin of the console, without a slash at its end. */
  readonly publicUrl: string;
  /** Right of the @ of message ids. */
  readonly domain: string;
}

/**
 * A mail as text and HTML that say the same. Its message id and date are those of the row, so that a mail which is sent again is the
 * same mail. What users have written is text in both.
 */
export function renderMail(
  { publicUrl, domain }: MailFrame,
  { id, createdAt }: Pick<MailInHand, 'id' | 'createdAt'>,
  to: string,
  content: MailContent,
  picture?: Uint8Array,
): ComposedMail {
  const { subject, paragraphs, link, pictureAlt } = content;
  const url = publicUrl + link.path;
  const account = `${publicUrl}/console/account`;
  const why = `Sent by Tally at ${publicUrl}. What you are told by mail: ${account}`;
  const shown = picture !== undefined && pictureAlt !== undefined ? [pictureAlt] : [];
  return {
    messageId: `<${id}@${domain}>`,
    date: createdAt,
    to,
    subject,
    text: [...paragraphs, ...shown, `${link.words}: ${url}`, `-- \n${why}`].join('\n\n'),
    html: htmlOf({ paragraphs, url, words: link.words, account, publicUrl, pictureAlt: shown[0] }),
    picture: shown.length > 0 ? picture : undefined,
  };
}

interface HtmlParts {
  readonly paragraphs: readonly string[];
  readonly url: string;
  readonly words: string;
  readonly account: string;
  readonly publicUrl: string;
  readonly pictureAlt: string | undefined;
}

function htmlOf({ paragraphs, url, words, account, publicUrl, pictureAlt }: HtmlParts): string {
  const image = `<img src="cid:${PICTURE_ID}" width="${PICTURE_WIDTH_PX}" alt="${escape(pictureAlt ?? '')}" style="max-width: 100%; height: auto">`;
  const lines = [
    ...paragraphs.map((text) => `<p>${escape(text).replaceAll('\n', '<br>')}</p>`),
    ...(pictureAlt === undefined ? [] : [`<p>${image}</p>`]),
    `<p><a href="${escape(url)}" style="color: #07704f">${escape(words)}</a></p>`,
    `<p style="color: #666; font-size: 12px">Sent by Tally at ${escape(publicUrl)}. <a href="${escape(account)}" style="color: #666">What you are told by mail</a></p>`,
  ];
  return `<!doctype html><html lang="en"><body style="${FONT}; font-size: 15px; line-height: 1.5; color: #222">${lines.join('\n')}</body></html>`;
}
