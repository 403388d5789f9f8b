import { auth } from '@tally/contracts';
import { actingUser, currentContext, type Implementation, implement, type Routes } from '@tally/service-kit';
import type { CreateClassPorts } from '../domain/class/create-class.js';
import { type GetClusterCredentialPorts, getClusterCredential } from '../domain/credential/get-cluster-credential.js';
import { type ConfirmEmailPorts, confirmEmail } from '../domain/email/confirm-email.js';
import { type UpdateEmailPorts, updateEmail } from '../domain/email/update-email.js';
import type { GroupPorts } from '../domain/group/change-group.js';
import { listSigningKeys } from '../domain/key/list-signing-keys.js';
import { type CreateNoticePorts, createNotice } from '../domain/mail/create-notice.js';
import type { MailStore } from '../domain/mail/mail.js';
import { createRuleAction } from '../domain/operator/create-operator-action.js';
import type { ApiTokenStore, LinkStore, SigningKeyStore } from '../domain/ports.js';
import { type CreateAccessTokenPorts, createAccessToken } from '../domain/session/create-access-token.js';
import { type CreateSessionPorts, createSession } from '../domain/session/create-session.js';
import { type CreateSsoSessionPorts, createSsoSession } from '../domain/session/create-sso-session.js';
import { createSsoSessionByCode } from '../domain/session/create-sso-session-by-code.js';
import type { DeleteSessionPorts } from '../domain/session/delete-session.js';
import { listEndedSessions } from '../domain/session/list-ended-sessions.js';
import { type CreateApiTokenPorts, createApiToken } from '../domain/token/create-api-token.js';
import { deleteApiToken } from '../domain/token/delete-api-token.js';
import { getApiTokenOwner } from '../domain/token/get-api-token-owner.js';
import { type ConfirmPasswordResetPorts, confirmPasswordReset } from '../domain/user/confirm-password-reset.js';
import { type CreateUserPorts, createUser } from '../domain/user/create-user.js';
import { getUser } from '../domain/user/get-user.js';
import { type RequestPasswordResetPorts, requestPasswordReset } from '../domain/user/request-password-reset.js';
import { type UpdateUserPorts, updateUser } from '../domain/user/update-user.js';
import { deleteSessionRpc } from './delete-session.js';
import { groupRpcs } from './group-rpcs.js';
import {
  toApiToken,
  toListedSession,
  toNotice,
  toScopes,
  toSession,
  toSigningKey,
  toSsoRealm,
  toUser,
} from './mappers.js';

/** What the RPCs need together. */
export type AuthPorts = CreateUserPorts &
  CreateClassPorts &
  CreateSessionPorts &
  CreateSsoSessionPorts &
  CreateAccessTokenPorts &
  DeleteSessionPorts &
  CreateApiTokenPorts &
  GetClusterCredentialPorts &
  UpdateUserPorts &
  GroupPorts &
  ConfirmPasswordResetPorts &
  RequestPasswordResetPorts &
  UpdateEmailPorts &
  ConfirmEmailPorts &
  CreateNoticePorts & {
    readonly mails: MailStore;
    readonly signingKeys: SigningKeyStore;
    readonly apiTokens: ApiTokenStore;
    readonly links: LinkStore;
  };

type Service = typeof auth.AuthServiceService;

const callers = ['gateway'];
const SESSIONS_MAX = 100;

/** The RPCs of auth with their callers. */
export function authRpcs(ports: AuthPorts): Implementation {
  return implement(auth.AuthServiceService, {
    ...accountRpcs(ports),
    ...sessionRpcs(ports),
    ...tokenRpcs(ports),
    ...groupRpcs(ports),
    ...mailRpcs(ports),
    ...sessionRpcs(ports),
    ...tokenRpcs(ports),
  });
}

const accountRpcs = (ports: AuthPorts) =>
  ({
    createUser: { callers, handle: async (request) => ({ user: toUser(await createUser(ports, request)) }) },
    getUser: { callers, handle: async () => ({ user: toUser(await getUser(ports, actingUser())) }) },
    updateUser: {
      callers,
      handle: async (request) => ({ user: toUser(await updateUser(ports, actingUser(), request)) }),
    },
    requestPasswordReset: {
      callers,
      handle: async ({ username, remoteAddress }) => {
        await requestPasswordReset(ports, username, remoteAddress);
        return {};
      },
    },
    confirmPasswordReset: {
      callers,
      handle: async (request) => {
        await confirmPasswordReset(ports, request);
        return {};
      },
    },
    getClusterCredential: {
      callers: ['batch-bridge'],
      handle: async ({ userId, jobId }) => {
        const { userId: actingUserId, caller = '' } = currentContext() ?? {};
        return getClusterCredential(ports, { userId, jobId, actingUserId, caller });
      },
    },
  }) satisfies Partial<Routes<Service>>;

const mailRpcs = (ports: AuthPorts) =>
  ({
    getEmail: {
      callers,
      handle: async () => ({ email: await ports.users.findEmail(actingUser()), isMailing: ports.isMailing }),
    },
    updateEmail: {
      callers,
      handle: async ({ email }) => {
        await updateEmail(ports, actingUser(), email);
        return {};
      },
    },
    confirmEmail: {
      callers,
      handle: async ({ token, remoteAddress }) => ({ email: await confirmEmail(ports, token, remoteAddress) }),
    },
    createRuleAction: {
      callers: ['jobs'],
      handle: async (wanted) => ({
        actionId: await createRuleAction(ports, currentContext()?.requestId ?? '', wanted),
      }),
    },
    createNotice: {
      callers: ['jobs'],
      handle: async (request) => ({ isAccepted: await createNotice(ports, toNotice(request)) }),
    },
  }) satisfies Partial<Routes<Service>>;

const sessionRpcs = (ports: AuthPorts) =>
  ({
    createSession: {
      callers,
      handle: async (request) => {
        const { session, device } = await createSession(ports, request);
        return { session: toSession(session), deviceToken: device.token, deviceExpiresAt: device.expiresAt };
      },
    },
    createSsoSession: {
      callers,
      handle: async ({ ssoToken, remoteAddress }) => ({
        session: toSession(await createSsoSession(ports, ssoToken, remoteAddress)),
      }),
    },
    createSsoSessionByCode: {
      callers,
      handle: async ({ remoteAddress, ...returned }) => ({
        session: toSession(await createSsoSessionByCode(ports, returned, remoteAddress)),
      }),
    },
    getSsoRealm: { callers, handle: () => toSsoRealm(ports.sso) },
    deleteSession: { callers, handle: (request) => deleteSessionRpc(ports, request) },
    listSessions: {
      callers,
      handle: async () => {
        const live = await ports.sessions.listLive(actingUser(), ports.clock.now(), SESSIONS_MAX);
        return { sessions: live.map(toListedSession) };
      },
    },
    listEndedSessions: {
      callers,
      handle: async () => {
        const [sessionIds, membershipsVersion] = await Promise.all([
          listEndedSessions(ports),
          ports.groups.readVersion(),
        ]);
        return { sessionIds, membershipsVersion };
      },
      isQuiet: true,
    },
  }) satisfies Partial<Routes<Service>>;

const tokenRpcs = (ports: AuthPorts) =>
  ({
    createAccessToken: {
      callers,
      handle: async ({ refreshToken }) => {
        const { token, expiresAt } = await createAccessToken(ports, refreshToken);
        return { accessToken: token, accessExpiresAt: expiresAt };
      },
    },
    createApiToken: {
      callers,
      handle: async ({ name, scopes, expiresAt, isEndedWithSessions }) => {
        const wanted = { name, scopes: toScopes(scopes), expiresAt, isEndedWithSessions };
        const { text, token } = await createApiToken(ports, actingUser(), wanted);
        return { text, token: toApiToken(token) };
      },
    },
    listApiTokens: {
      callers,
      handle: async () => ({
        tokens: (await ports.apiTokens.list(actingUser(), ports.clock.now())).map(toApiToken),
      }),
    },
    deleteApiToken: {
      callers,
      handle: async ({ tokenId }) => {
        await deleteApiToken(ports, actingUser(), tokenId);
        return {};
      },
    },
    getApiTokenOwner: {
      callers,
      handle: async ({ text }) => {
        const { owner, token } = await getApiTokenOwner(ports, text);
        return { user: toUser(owner), token: toApiToken(token) };
      },
    },
    listSigningKeys: {
      callers,
      handle: async () => ({ keys: (await listSigningKeys(ports)).map(toSigningKey) }),
      isQuiet: true,
    },
  }) satisfies Partial<Routes<Service>>;
