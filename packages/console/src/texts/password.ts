/** Change and reset of a password. */
export const PASSWORD_TEXTS = {
  title: 'Password',
  lead: 'A new password ends your other sessions, and the tokens that say so.',
  current: 'Current password',
  next: 'New password',
  again: 'New password again',
  different: 'The two are different.',
  change: 'Change the password',
  changed: 'The password is changed.',
  newTitle: 'New password',
  newLead: 'The link works once. All your sessions end.',
  noToken: 'This address has no link in it. Open the whole link that you were sent.',
  set: 'Set the password',
  isSet: 'The password is set. Sign in with it.',
  toSignIn: 'To the sign-in',
} as const;
