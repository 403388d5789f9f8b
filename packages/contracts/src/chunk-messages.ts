/**
 * Messages of a stream that are nothing but a chunk of bytes, written by hand: generated code copies the bytes four times on
 * the way, and most of what services send each other are such messages.
 */

/** A message of a stream whose parts are a `oneof`, as ts-proto has it. */
interface StreamMessage {
  readonly part?: { readonly $case: string; readonly value: unknown } | undefined;
}

type Serialize<Message> = (message: Message) => Buffer;

/** `serialize` for all messages but chunks; something else may lie beside an empty one. @param field - number of the chunk's field, less than 16 */
export function serializeChunks<Message extends StreamMessage>(
  serialize: Serialize<Message>,
  field: number,
): Serialize<Message> {
  return (message) => {
    const { part } = message;
    const bytes = part?.$case === 'chunk' ? (part.value as Uint8Array) : undefined;
    return bytes === undefined || bytes.byteLength === 0 ? serialize(message) : chunkMessage(field, bytes);
  };
}

const LENGTH_DELIMITED = 2;

/** Tag, length as a varint, bytes (protobuf.dev, "Encoding"). */
function chunkMessage(field: number, bytes: Uint8Array): Buffer {
  const message = Buffer.allocUnsafe(1 + varintBytes(bytes.byteLength) + bytes.byteLength);
  let at = message.writeUInt8((field << 3) | LENGTH_DELIMITED);
  let rest = bytes.byteLength;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) at = message.writeUInt8((rest & 0x7f) | 0x80, at);
  message.set(bytes, message.writeUInt8(rest, at));
  return message;
}

function varintBytes(value: number): number {
  return value < 0x80 ? 1 : 1 + varintBytes(Math.floor(value / 0x80));
}
