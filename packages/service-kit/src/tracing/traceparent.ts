/** Version 00 of W3C Trace Context; later versions begin in the same way. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/;
const LENGTH = 55;

/** A `traceparent` as somebody sent it; undefined: there is none, or it is malformed and a new trace begins. */
export function readTraceparent(text: string | undefined): string | undefined {
  if (text === undefined || text.length < LENGTH || !TRACEPARENT.test(text)) return undefined;
  return text.startsWith('00') && text.length !== LENGTH ? undefined : `00${text.slice(2, LENGTH)}`;
}

/** The 32 hexadecimal digits that all spans of a trace share. */
export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}
