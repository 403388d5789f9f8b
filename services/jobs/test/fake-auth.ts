import { auth } from '@tally/contracts';
import { implement, kitError, Readiness, type Routes, silentLogger, startGrpcServer } from '@tally/service-kit';
import { testCallers } from '@tally/testkit';

/** Auth, as far as jobs knows it: keeps what users are to be told, and says who may be told. */
export interface FakeAuth {
  readonly address: string;
  readonly notices: auth.CreateNoticeRequest[];
  /** Entries of the trail, by rules. */
  readonly trail: auth.CreateRuleActionRequest[];
  /** Users who are blocked. */
  readonly blocked: Set<bigint>;
  /** Members of groups, as `group user`. */
  readonly members: Set<string>;
  /** Answers nothing but UNAVAILABLE. */
  isDown: boolean;
  stop(): Promise<void>;
}

export async function startFakeAuth(): Promise<FakeAuth> {
  const notices: auth.CreateNoticeRequest[] = [];
  const trail: auth.CreateRuleActionRequest[] = [];
  const [blocked, members] = [new Set<bigint>(), new Set<string>()];
  const elsewhere = { callers: [], handle: async () => Promise.reject(kitError('INTERNAL')) };
  const names = Object.keys(auth.AuthServiceService);
  const routes = Object.fromEntries(names.map((name) => [name, elsewhere]));
  const server = await startGrpcServer({
    address: '127.0.0.1:0',
    callers: testCallers('jobs'),
    readiness: new Readiness({}),
    logger: silentLogger,
    graceMs: 1_000,
    implementations: [
      implement(auth.AuthServiceService, {
        ...(routes as unknown as Routes<typeof auth.AuthServiceService>),
        createRuleAction: {
          callers: ['jobs'],
          handle: async (request: auth.CreateRuleActionRequest) => {
            if (fake.isDown) throw kitError('SERVICE_UNAVAILABLE');
            return { actionId: BigInt(trail.push(request)) };
          },
        },
        createNotice: {
          callers: ['jobs'],
          handle: async (request: auth.CreateNoticeRequest) => {
            if (fake.isDown) throw kitError('SERVICE_UNAVAILABLE');
            notices.push(request);
            return { isAccepted: true };
          },
        },
        listReceivers: {
          callers: ['jobs'],
          handle: async ({ userIds, groupId }: auth.ListReceiversRequest) => {
            if (fake.isDown) throw kitError('SERVICE_UNAVAILABLE');
            return {
              activeUserIds: userIds.filter((userId) => !blocked.has(userId)),
              memberUserIds: userIds.filter((userId) => members.has(`${groupId} ${userId}`)),
            };
          },
        },
      }),
    ],
  });
  const fake: FakeAuth = {
    address: `127.0.0.1:${server.port}`,
    notices,
    blocked,
    members,
    trail,
    isDown: false,
    stop: () => server.stop(),
  };
  return fake;
}
