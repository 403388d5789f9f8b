import { type ConfigSchema, setting } from '@tally/service-kit';

/** Origins as settings name them: without a path, and without a slash at the end. */
const publicUrl = setting.text.refine(
  (text) => text === '' || (/^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text),
  { message: 'must be an origin such as https://tally.example.org' },
);

/** Settings of links that leave the console. */
export const MAIL_KEYS = {
  publicUrl: {
    type: publicUrl,
    default: '',
    description: 'Origin under which users reach the console, for links, such as https://tally.example.org',
  },
} as const satisfies ConfigSchema;
