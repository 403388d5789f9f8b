import { z } from 'zod';
import { timestamp } from './job.js';
import { plainText } from './parameters.js';

const username = plainText.min(1).max(128);
/** Its bounds belong to auth: a wrong password is wrong, whatever its length. */
const password = z.string().min(1).max(1024);

/** Body of PUT /auth/register and POST /auth/login. */
export const credentials = z.object({ username, password });

/** Body of POST /auth/password-reset. */
export const passwordResetRequest = z.object({ username });

const linkToken = z.string().min(1).max(128).meta({ description: 'What follows `#` in the link' });

/** Body of POST /auth/email/confirm. */
export const emailConfirmation = z.object({ token: linkToken });
export const emailConfirmedResponse = z.object({ message: z.string(), email: z.string() });

/** Body of POST /auth/password-reset/confirm. */
export const passwordResetConfirmation = z.object({
  token: linkToken,
  new_password: password,
});

/** Body of POST /auth/sso. */
export const ssoLogin = z.object({ sso_token: z.string().min(1) });

/** Body of POST /auth/sso/code; the bounds are those of RFC 7636 and of what browsers send. */
export const ssoCode = z.object({
  code: plainText.min(1).max(4096).meta({ description: 'What the realm gave to the browser' }),
  code_verifier: z
    .string()
    .regex(/^[A-Za-z0-9._~-]{43,128}$/, 'must be 43 to 128 letters, digits, or -._~')
    .meta({ description: 'Whose SHA-256 the browser sent to the realm (RFC 7636)' }),
  redirect_uri: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .meta({ description: 'Where the realm sent the browser back to, exactly' }),
  nonce: plainText.min(16).max(256).meta({ description: 'What the browser sent as nonce; the ID token must hold it' }),
});

/** Answer of GET /auth/sso. */
export const ssoRealmResponse = z.object({
  message: z.string(),
  sso: z
    .object({
      issuer: z.string(),
      client_id: z
        .string()
        .optional()
        .meta({ description: 'Public client; absent: bring a token to `POST /auth/sso`' }),
      scope: z.string().optional(),
      authorization_endpoint: z.string().optional(),
      token_endpoint: z.string().optional(),
      device_authorization_endpoint: z
        .string()
        .optional()
        .meta({ description: 'Absent: the realm has no device flow' }),
    })
    .nullable(),
});

export const registerResponse = z.object({ message: z.string(), status_code: z.literal(201) });
export const loginResponse = z.object({ message: z.string(), access_exp: timestamp, refresh_exp: timestamp });
export const refreshResponse = z.object({ message: z.string(), access_exp: timestamp });
export const statusResponse = z.object({
  message: z.string(),
  username: z.string(),
  source: z.enum(['local', 'sso']),
  role: z.enum(['operator', 'teacher']).optional().meta({ description: 'Absent: an ordinary user' }),
});
