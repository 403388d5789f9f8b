import { z } from 'zod';
import { timestamp } from './job.js';
import { plainText } from './parameters.js';

const username = plainText.min(1).max(128);
/** Its bounds belong to auth: a wrong password is wrong, whatever its length. */
const password = z.string().min(1).max(1024);

/** Body of PUT /auth/register and POST /auth/login. */
export const credentials = z.object({ username, password });

/** Body of POST /auth/sso. */
export const ssoLogin = z.object({ sso_token: z.string().min(1) });

export const registerResponse = z.object({ message: z.string(), status_code: z.literal(201) });
export const loginResponse = z.object({ message: z.string(), access_exp: timestamp, refresh_exp: timestamp });
export const refreshResponse = z.object({ message: z.string(), access_exp: timestamp });
export const statusResponse = z.object({ message: z.string(), username: z.string(), source: z.enum(['local', 'sso']) });
