import { type AmqpFault, type AmqpFrame, type AmqpMethod, type AmqpProxy, amqpMethod, shortText } from '@tally/testkit';
import { pick } from './fault-schedule.js';

/** Reply codes of AMQP 0-9-1 (section 1.2), and what RabbitMQ says with them. */
const CHANNEL_ENDS = [
  [311, 'CONTENT_TOO_LARGE - message size 17 is larger than configured max size 16'],
  [313, 'NO_CONSUMERS'],
  [403, "ACCESS_REFUSED - access to queue 'direct.tasks' in vhost '/' refused for user 'tally'"],
  [404, "NOT_FOUND - no queue 'direct.tasks' in vhost '/'"],
  [405, "RESOURCE_LOCKED - cannot obtain exclusive access to locked queue 'direct.tasks'"],
  [406, 'PRECONDITION_FAILED - delivery acknowledgement on channel 1 timed out. Timeout value used: 1800000 ms'],
] as const;
const CONNECTION_ENDS = [
  [320, "CONNECTION_FORCED - broker forced connection closure with reason 'shutdown'"],
  [402, 'INVALID_PATH - unknown vhost'],
  [403, 'ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN'],
  [501, 'FRAME_ERROR - type 2, first 16 octets'],
  [502, 'SYNTAX_ERROR - illegal attribute'],
  [503, "COMMAND_INVALID - second 'channel.open' seen"],
  [504, "CHANNEL_ERROR - expected 'channel.open'"],
  [505, 'UNEXPECTED_FRAME - expected content header for class 60, got non content header frame instead'],
  [506, 'RESOURCE_ERROR'],
  [530, 'NOT_ALLOWED - node connection limit (10) is reached'],
  [540, 'NOT_IMPLEMENTED - active=false'],
  [541, 'INTERNAL_ERROR'],
] as const;

/** What is drawn of an answer. */
interface Draw {
  readonly code: number;
  /** Of [0, 1). */
  readonly share: number;
}

export interface BrokerAnswer {
  readonly kind: string;
  readonly fault: AmqpFault;
  /** It is heard where a client connects. */
  readonly isOfNewConnections: boolean;
}

const is =
  (...methods: AmqpMethod[]) =>
  (frame: AmqpFrame): boolean =>
    methods.some((method) => method === frame.method);
const isReply = is('queue.declare-ok', 'basic.consume-ok', 'basic.cancel-ok', 'basic.get-ok', 'basic.get-empty');
const isOfChannel = ({ channel, method }: AmqpFrame): boolean =>
  channel > 0 && !['', 'channel.close', 'channel.close-ok'].includes(method);
const HANDSHAKE = ['connection.start', 'connection.tune', 'connection.open-ok', 'channel.open-ok'] as const;
/** Longer than a publisher waits for its confirm. */
const LATE_MS_MAX = 12_000;

type Kinds = Readonly<Record<string, (draw: Draw) => AmqpFault>>;

const KINDS: Kinds = {
  'a channel is closed': ({ code, share }) => ({
    from: 'client',
    isWanted: isOfChannel,
    act: (frame, link) => {
      if (share < 0.5 && frame.method !== 'basic.publish') link.send('broker', frame.bytes);
      link.closeChannel(frame.channel, ...textOf(CHANNEL_ENDS, code));
    },
  }),
  'the connection is closed': ({ code }) => ({
    from: 'client',
    isWanted: isOfChannel,
    act: (_frame, link) => link.closeConnection(...textOf(CONNECTION_ENDS, code)),
  }),
  'connection.blocked': ({ share }) => ({
    from: 'client',
    isWanted: is('basic.publish'),
    act: (frame, link) => {
      link.send('client', amqpMethod(0, 'connection.blocked', shortText('low on memory')));
      link.hold('client', share * LATE_MS_MAX, () => link.send('client', amqpMethod(0, 'connection.unblocked')));
      link.send('broker', frame.bytes);
    },
  }),
  'channel.flow': ({ share }) => ({
    from: 'client',
    isWanted: is('basic.publish'),
    act: (frame, link) => {
      link.flow(frame.channel, false);
      link.hold('client', share * LATE_MS_MAX, () => link.flow(frame.channel, true));
      link.send('broker', frame.bytes);
    },
  }),
  'a message comes back': () => ({
    from: 'client',
    isWanted: is('basic.publish'),
    act: (frame, link) => link.send('broker', toNoQueue(frame)),
  }),
  'a confirm is late': ({ share }) => ({
    from: 'broker',
    isWanted: is('basic.ack'),
    act: (frame, link) => {
      link.hold('broker', share * LATE_MS_MAX);
      link.send('client', frame.bytes);
    },
  }),
  'no confirm': () => ({ from: 'broker', isWanted: is('basic.ack'), act: () => {} }),
  'a confirm comes twice': () => ({ from: 'broker', isWanted: is('basic.ack'), act: twice }),
  'a message is refused': () => ({
    from: 'broker',
    isWanted: is('basic.ack'),
    act: ({ channel, args }, link) => link.send('client', amqpMethod(channel, 'basic.nack', args)),
  }),
  'a consumer is cancelled': () => ({
    from: 'broker',
    isWanted: is('basic.consume-ok'),
    act: ({ channel, args, bytes }, link) => {
      link.send('client', bytes);
      const tagAndNoWait = Buffer.concat([args, Buffer.from([1])]);
      link.send('broker', amqpMethod(channel, 'basic.cancel', tagAndNoWait));
      link.send('client', amqpMethod(channel, 'basic.cancel', tagAndNoWait));
    },
  }),
  'no answer': () => ({ from: 'broker', isWanted: isReply, act: () => {} }),
  'an answer comes twice': () => ({ from: 'broker', isWanted: isReply, act: twice }),
  'an answer is late': ({ share }) => ({
    from: 'broker',
    isWanted: isReply,
    act: (frame, link) => {
      link.hold('broker', share * LATE_MS_MAX);
      link.send('client', frame.bytes);
    },
  }),
  'an answer is cut off': ({ share }) => ({
    from: 'broker',
    isWanted: isReply,
    act: ({ bytes }, link) => {
      link.send('client', bytes.subarray(0, Math.floor(share * bytes.byteLength)));
      link.reset();
    },
  }),
  'no AMQP': () => ({
    from: 'broker',
    isWanted: isReply,
    act: (_frame, link) => link.send('client', Buffer.from('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n')),
  }),
};

const NEW_CONNECTION_KINDS: Kinds = {
  'a queue exists with other arguments': () => ({
    from: 'client',
    isWanted: is('queue.declare'),
    act: (frame, link) => link.send('broker', withoutDurable(frame)),
  }),
  'the connection is refused': ({ code, share }) => ({
    from: 'broker',
    isWanted: is(handshakeOf(share)),
    act: (_frame, link) => link.closeConnection(...textOf(CONNECTION_ENDS, code)),
  }),
  'no answer to a new connection': ({ share }) => ({ from: 'broker', isWanted: is(handshakeOf(share)), act: () => {} }),
  'no answer to a declaration': () => ({ from: 'broker', isWanted: is('queue.declare-ok'), act: () => {} }),
};

const handshakeOf = (share: number) => HANDSHAKE[Math.floor(share * HANDSHAKE.length)] ?? HANDSHAKE[0];
const textOf = (ends: readonly (readonly [number, string])[], code: number) => ends[code % ends.length] ?? [541, ''];

const twice: AmqpFault['act'] = ({ bytes }, link) => link.send('client', Buffer.concat([bytes, bytes]));

/** A publication to a queue that is not there: its name has another end. Arguments: reserved, exchange, routing key, flags. */
function toNoQueue({ bytes, args }: AmqpFrame): Buffer {
  const changed = Buffer.from(bytes);
  changed.write('~', bytes.byteLength - 3);
  return args.byteLength > 5 ? changed : bytes;
}

/** Arguments: reserved, queue, flags (passive, durable …), a table. */
function withoutDurable({ bytes, args }: AmqpFrame): Buffer {
  const changed = Buffer.from(bytes);
  const flagsAt = bytes.byteLength - 1 - args.byteLength + 2 + 1 + args.readUInt8(2);
  changed.writeUInt8(changed.readUInt8(flagsAt) & ~0b10, flagsAt);
  return changed;
}

export function drawBrokerAnswer(random: () => number): BrokerAnswer {
  const names = [...Object.keys(KINDS), ...Object.keys(NEW_CONNECTION_KINDS)];
  const kind = pick(names, random) ?? '';
  const draw = { code: Math.floor(1_000 * random()), share: random() };
  const fault = (KINDS[kind] ?? NEW_CONNECTION_KINDS[kind])?.(draw);
  if (fault === undefined) throw new Error(`no kind ${kind}`);
  return { kind, fault, isOfNewConnections: kind in NEW_CONNECTION_KINDS };
}

/** Whether the answer was heard. */
export async function giveBrokerAnswer(proxy: AmqpProxy, answer: BrokerAnswer, timeoutMs: number): Promise<boolean> {
  const heard = proxy.next(answer.fault, timeoutMs);
  if (answer.isOfNewConnections) proxy.reset();
  return heard;
}
