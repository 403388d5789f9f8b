/**
 * Messages of a stream that are nothing but bytes, written and read by hand: generated code copies the bytes four times on the
 * way in and once on the way out, and most of what services send each other are such messages.
 */

/** A message of a stream whose parts are a `oneof`, as ts-proto has it. */
interface StreamMessage {
  readonly part?: { readonly $case: string; readonly value: unknown } | undefined;
}

/** Numbers of the fields that are bytes, less than 16, by their cases. */
type BytesFields = Readonly<Record<string, number>>;

interface Requests {
  readonly requestSerialize: (message: never) => Buffer;
  readonly requestDeserialize: (bytes: Buffer) => unknown;
}

interface Responses {
  readonly responseSerialize: (message: never) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => unknown;
}

/** A method whose requests are a stream of such messages. Bytes that are read share the memory of their message. */
export function bytesInRequests<Method extends Requests>(method: Method, fields: BytesFields): Method {
  const { requestSerialize, requestDeserialize } = method;
  return {
    ...method,
    requestSerialize: serializeBytes(requestSerialize, fields, (size) => Buffer.allocUnsafe(size)),
    requestDeserialize: deserializeBytes(requestDeserialize, fields),
  };
}

/**
 * The same of responses. They are all written to the same memory: grpc-js copies a response, with what tells its length, before it does
 * anything else (`serializeMessage` in its server-interceptors.js). With memory of their own results takes a fifth more processor time
 * for 10^7 numbers. Of requests a copy is made later.
 */
export function bytesInResponses<Method extends Responses>(method: Method, fields: BytesFields): Method {
  const { responseSerialize, responseDeserialize } = method;
  return {
    ...method,
    responseSerialize: serializeBytes(responseSerialize, fields, sharedMemory),
    responseDeserialize: deserializeBytes(responseDeserialize, fields),
  };
}

let memory = Buffer.alloc(0);

function sharedMemory(size: number): Buffer {
  if (size > memory.byteLength) memory = Buffer.allocUnsafeSlow(size);
  return memory.subarray(0, size);
}

/** Something else may lie beside an empty part: the generated code looks for it. */
function serializeBytes(
  serialize: (message: never) => Buffer,
  fields: BytesFields,
  allocate: (size: number) => Buffer,
): (message: StreamMessage) => Buffer {
  return (message) => {
    const { part } = message;
    const field = part === undefined ? undefined : fields[part.$case];
    const bytes = field === undefined ? undefined : (part?.value as Uint8Array);
    if (field === undefined || bytes === undefined || bytes.byteLength === 0) return serialize(message as never);
    return bytesMessage(field, bytes, allocate);
  };
}

function deserializeBytes<Message>(deserialize: (bytes: Buffer) => Message, fields: BytesFields) {
  const cases = new Map(Object.entries(fields).map(([name, field]) => [tagOf(field), name]));
  return (message: Buffer): Message | StreamMessage => {
    const $case = cases.get(message[0] ?? 0);
    const value = $case === undefined ? undefined : onlyBytes(message);
    return $case === undefined || value === undefined ? deserialize(message) : { part: { $case, value } };
  };
}

const LENGTH_DELIMITED = 2;
const tagOf = (field: number) => (field << 3) | LENGTH_DELIMITED;

/** Tag, length as a varint, bytes (protobuf.dev, "Encoding"). */
function bytesMessage(field: number, bytes: Uint8Array, allocate: (size: number) => Buffer): Buffer {
  const message = allocate(1 + varintBytes(bytes.byteLength) + bytes.byteLength);
  let at = message.writeUInt8(tagOf(field));
  let rest = bytes.byteLength;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) at = message.writeUInt8((rest & 0x7f) | 0x80, at);
  message.set(bytes, message.writeUInt8(rest, at));
  return message;
}

function varintBytes(value: number): number {
  return value < 0x80 ? 1 : 1 + varintBytes(Math.floor(value / 0x80));
}

/** The bytes of a message that has nothing but them. */
function onlyBytes(message: Buffer): Buffer | undefined {
  let [length, at] = [0, 1];
  for (let factor = 1; at < message.byteLength; factor *= 0x80) {
    const byte = message[at++] ?? 0;
    length += (byte & 0x7f) * factor;
    if (byte < 0x80) return at + length === message.byteLength ? message.subarray(at) : undefined;
  }
  return undefined;
}
