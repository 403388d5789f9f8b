/** Whose things lists show, and where groups are. */
export const VIEW_TEXTS = {
  label: 'Whose',
  own: 'Mine',
  group: 'My groups',
  shared: 'Shared with me',
  groups: 'Groups',
} as const;
