/** Where the user is told things. */
export const EMAIL_TEXTS = {
  title: 'E-mail',
  lead: 'For word of your jobs, and for a link when you forget your password.',
  address: 'Address',
  none: 'No address yet.',
  change: 'Send a link to confirm it',
  sent: (address: string) => `A link is on its way to ${address}. The address is used once you have opened the link.`,
  remove: 'Remove the address',
  removeQuestion: 'You are told nothing by mail any more, and cannot set a new password by mail.',
  off: 'This deployment sends no mail.',
  confirmTitle: 'Confirm the address',
  confirmed: (address: string) => `${address} is your address now.`,
  noToken: 'This address has no link in it. Open the whole link that you were sent.',
  toConsole: 'To Tally',
} as const;
