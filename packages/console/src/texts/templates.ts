/** Templates of projects. */
export const TEMPLATE_TEXTS = {
  gallery: 'Templates',
  expected: 'Expected with the defaults:',
} as const;
