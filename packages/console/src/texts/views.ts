/** Whose things lists show, and where groups are. */
export const VIEW_TEXTS = {
  label: 'Whose',
  own: 'Mine',
  group: 'My groups',
  shared: 'Shared with me',
  groups: 'Groups',
  nothing: { group: 'Nothing belongs to a group of yours.', shared: 'Nobody shares anything with you.' },
  of: (name: string) => `Of ${name}`,
} as const;
