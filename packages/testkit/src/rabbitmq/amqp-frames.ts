/** Frames of AMQP 0-9-1, as far as who stands between a client and a broker must know them (specification, sections 4.2 and 2.3). */
export interface AmqpFrame {
  readonly channel: number;
  /** `queue.declare` …; empty: no method, or one that is not known here. */
  readonly method: string;
  /** What follows class and method. */
  readonly args: Buffer;
  /** The whole frame. */
  readonly bytes: Buffer;
}

const METHODS = {
  'connection.start': [10, 10],
  'connection.tune': [10, 30],
  'connection.open-ok': [10, 41],
  'connection.close': [10, 50],
  'connection.close-ok': [10, 51],
  'connection.blocked': [10, 60],
  'connection.unblocked': [10, 61],
  'channel.open-ok': [20, 11],
  'channel.flow': [20, 20],
  'channel.flow-ok': [20, 21],
  'channel.close': [20, 40],
  'channel.close-ok': [20, 41],
  'queue.declare': [50, 10],
  'queue.declare-ok': [50, 11],
  'basic.consume': [60, 20],
  'basic.consume-ok': [60, 21],
  'basic.cancel': [60, 30],
  'basic.cancel-ok': [60, 31],
  'basic.publish': [60, 40],
  'basic.deliver': [60, 60],
  'basic.get': [60, 70],
  'basic.get-ok': [60, 71],
  'basic.get-empty': [60, 72],
  'basic.ack': [60, 80],
  'basic.nack': [60, 120],
  'confirm.select-ok': [85, 11],
} as const;
export type AmqpMethod = keyof typeof METHODS;

const NAMES = new Map(Object.entries(METHODS).map(([name, [kind, method]]) => [kind * 0x1_00_00 + method, name]));
const METHOD_FRAME = 1;
const FRAME_END = 0xce;
const HEAD_BYTES = 7;
const METHOD_BYTES = 4;
/** `AMQP` and a version, with which a client begins. */
const GREETING_BYTES = 8;

/** A frame with a method. */
export function amqpMethod(channel: number, name: AmqpMethod, args: Buffer = Buffer.alloc(0)): Buffer {
  const [kind, method] = METHODS[name];
  const head = Buffer.alloc(HEAD_BYTES + METHOD_BYTES);
  head.writeUInt8(METHOD_FRAME, 0);
  head.writeUInt16BE(channel, 1);
  head.writeUInt32BE(METHOD_BYTES + args.byteLength, 3);
  head.writeUInt16BE(kind, HEAD_BYTES);
  head.writeUInt16BE(method, HEAD_BYTES + 2);
  return Buffer.concat([head, args, Buffer.from([FRAME_END])]);
}

/** A text of at most 255 bytes. */
export function shortText(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.byteLength]), bytes]);
}

/** Arguments of `channel.close` and `connection.close`. */
export function closeArguments(code: number, text: string): Buffer {
  const [head, tail] = [Buffer.alloc(2), Buffer.alloc(4)];
  head.writeUInt16BE(code);
  return Buffer.concat([head, shortText(text), tail]);
}

/** Takes bytes as they come, and gives the frames that are whole. @param isClient - it begins with a greeting, given as a frame */
export function createFrameReader(isClient: boolean): (bytes: Buffer) => AmqpFrame[] {
  let rest: Buffer = Buffer.alloc(0);
  let isGreeted = !isClient;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    const frames: AmqpFrame[] = [];
    for (;;) {
      const length = isGreeted ? frameLength(rest) : GREETING_BYTES;
      if (length === undefined || rest.byteLength < length) return frames;
      frames.push(isGreeted ? readFrame(rest.subarray(0, length)) : raw(rest.subarray(0, length)));
      isGreeted = true;
      rest = rest.subarray(length);
    }
  };
}

const raw = (bytes: Buffer): AmqpFrame => ({ channel: 0, method: '', args: Buffer.alloc(0), bytes });

const frameLength = (bytes: Buffer): number | undefined =>
  bytes.byteLength < HEAD_BYTES ? undefined : HEAD_BYTES + bytes.readUInt32BE(3) + 1;

function readFrame(bytes: Buffer): AmqpFrame {
  const channel = bytes.readUInt16BE(1);
  if (bytes.readUInt8(0) !== METHOD_FRAME) return { ...raw(bytes), channel };
  const method = NAMES.get(bytes.readUInt32BE(HEAD_BYTES)) ?? '';
  return { channel, method, args: bytes.subarray(HEAD_BYTES + METHOD_BYTES, -1), bytes };
}
