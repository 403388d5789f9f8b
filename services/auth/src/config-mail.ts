import { type ConfigSchema, setting } from '@tally/service-kit';
import { z } from 'zod';

/** Origins as settings name them: without a path, and without a slash at the end. */
const publicUrl = setting.text.refine(
  (text) => text === '' || (/^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text),
  { message: 'must be an origin such as https://tally.example.org' },
);

/** Header `From`: an address, or a name and an address in angle brackets; nothing that could become another header. */
const sender = setting.text.refine(
  (text) => text === '' || /^(?:[^<>@\r\n]{0,100}<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(text),
  { message: 'must be an address, or a name and an address in angle brackets' },
);

/** Settings of mails, and of links in them. */
export const MAIL_KEYS = {
  publicUrl: {
    type: publicUrl,
    default: '',
    description: 'Origin under which users reach the console, for links, such as https://tally.example.org',
  },
  smtpHost: {
    type: setting.text,
    default: '',
    description: 'Mail server that takes our mails; empty: no mail is sent',
  },
  smtpPort: { type: setting.integer(1, 65_535), default: '587', description: 'Its port' },
  smtpSecurity: {
    type: z.enum(['starttls', 'tls', 'none']),
    default: 'starttls',
    description:
      '`starttls`: TLS is required after the greeting; `tls`: from the first byte (port 465); `none`: in clear',
  },
  smtpUsername: {
    type: setting.text,
    default: '',
    description: 'User name at the mail server; empty: it takes mails without a login',
  },
  smtpPassword: { type: setting.text, default: '', description: 'Password at the mail server', secret: true },
  smtpFrom: {
    type: sender,
    default: '',
    description:
      'Sender of our mails, such as Tally <tally@example.org>; required with a mail server, like AUTH_PUBLIC_URL',
  },
} as const satisfies ConfigSchema;
