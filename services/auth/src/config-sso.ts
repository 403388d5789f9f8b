import { type ConfigSchema, setting } from '@tally/service-kit';
import { z } from 'zod';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Empty, or https; http only to this machine, because tokens and keys travel there. */
const secureUrl = z.string().refine(
  (text) => {
    if (text === '') return true;
    if (!URL.canParse(text)) return false;
    const { protocol, hostname } = new URL(text);
    return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
  },
  { message: 'must be an https URL (http only to a loopback address)' },
);

/** Settings of single sign-on. */
export const REALM_KEYS = {
  ssoIssuerUrl: {
    type: secureUrl,
    default: '',
    description: 'Issuer of the single-sign-on realm, exactly as in its tokens; empty: single sign-on is off',
  },
  ssoAudience: {
    type: setting.text,
    default: '',
    description: 'What a token must name in aud or as azp: the client id at the realm; required with an issuer',
  },
  ssoClientId: {
    type: setting.text,
    default: '',
    description:
      'Public client at the realm by which the console (authorization code with PKCE, redirect URI /console/sso) and the ' +
      'command tally (device flow) sign users in; empty: users bring tokens themselves',
  },
  ssoScope: {
    type: setting.nonEmpty,
    default: 'openid profile',
    description: 'What that client asks for, separated by spaces; openid belongs to it',
  },
  ssoTokenTypes: {
    type: setting.list,
    default: 'at+jwt,Bearer',
    description:
      'Types of realm tokens that are access tokens: claim typ, or header typ where there is no such claim. ID and ' +
      'refresh tokens are not for this service',
  },
  ssoUsernameClaim: {
    type: setting.nonEmpty,
    default: 'preferred_username',
    description: 'Claim with the user name',
  },
  ssoRequiredClaim: {
    type: setting.text,
    default: '',
    description: 'Claim that a token must carry: `name` or `name=value` (a list claim contains it); dots reach inside',
  },
  ssoGroupsClaim: {
    type: setting.text,
    default: '',
    description:
      'Claim of the access token with the names of groups, a text or a list, such as `groups`; dots reach inside. Users become ' +
      'members of these groups when they sign in. Empty: the realm has no say in groups',
  },
  operatorClaim: {
    type: setting.text,
    default: '',
    description:
      'Claim of a realm token by which its user is an operator until the session ends, in the form of AUTH_SSO_REQUIRED_CLAIM; ' +
      'empty: none is',
  },
  teacherClaim: {
    type: setting.text,
    default: '',
    description: 'The same for teachers, who may make classes and see and end their own; empty: none is by a claim',
  },
  ssoTokenAgeMaxMs: {
    type: setting.integer(1_000, 86_400_000),
    default: '300000',
    description:
      'Oldest realm token that opens a session, by its claim iat, milliseconds; a stolen one is of use for so long',
  },
} as const satisfies ConfigSchema;

/** Settings of the certificate proxy. */
export const CERTIFICATE_PROXY_KEYS = {
  certProxyUrl: {
    type: secureUrl,
    default: '',
    description: 'Where SSH certificate and key of a user are fetched at a single-sign-on login; empty: nowhere',
  },
} as const satisfies ConfigSchema;
