import { defineReasons } from '@tally/service-kit';

/** Reasons of auth. */
export const fail = defineReasons('auth', {
  FIELDS_INVALID: {
    status: 'INVALID_ARGUMENT',
    message: 'Some fields are not valid',
    when: 'a user name, password, display name or id is outside its limits; the answer names the fields',
  },
  NOTHING_TO_CHANGE: {
    status: 'INVALID_ARGUMENT',
    message: 'Nothing to change',
    when: 'a profile update names no field',
  },
  USERNAME_TAKEN: {
    status: 'ALREADY_EXISTS',
    message: 'User already exists',
    when: 'a registration asks for a user name that another local user has',
  },
  REGISTRATION_DISABLED: {
    status: 'PERMISSION_DENIED',
    message: 'Registration is disabled on this instance',
    when: 'a registration while AUTH_REGISTRATION_ENABLED is false',
  },
  CREDENTIALS_WRONG: {
    status: 'UNAUTHENTICATED',
    message: 'Invalid credentials',
    when: 'a login names an unknown user or a wrong password; the answer does not show which of the two',
  },
  THROTTLED: {
    status: 'RESOURCE_EXHAUSTED',
    message: 'Too many attempts; try again later',
    when: 'a user name or an address has used up its attempts of the current window; the retry delay is its rest',
  },
  LOGINS_BUSY: {
    status: 'RESOURCE_EXHAUSTED',
    message: 'Too many logins at this moment; try again',
    when: 'more than 32 logins wait for a password hash (hashesWaitingMax), or the time limit came first',
  },
  SESSION_INVALID: {
    status: 'UNAUTHENTICATED',
    message: 'Token is invalid or has expired',
    when: 'a refresh token is unknown or expired, or its session has ended',
  },
  TOKEN_INVALID: {
    status: 'UNAUTHENTICATED',
    message: 'Token is invalid or has expired',
    when: 'an API token is unknown, expired or ended',
  },
  TOKEN_NOT_FOUND: {
    status: 'NOT_FOUND',
    message: 'There is no such token',
    when: 'a user ends an API token that is not his, or has ended or expired',
  },
  TOKENS_EXCEEDED: {
    status: 'RESOURCE_EXHAUSTED',
    message: 'Too many tokens; end one that is not used any more',
    when: 'a user has AUTH_TOKENS_PER_USER_MAX API tokens that are valid and makes one more',
  },
  USER_BLOCKED: {
    status: 'PERMISSION_DENIED',
    message: 'Your account is blocked; ask an operator of this service',
    when: 'a user logs in whom an operator has blocked or deleted; a local one with the right password',
  },
  USERNAME_RESERVED: {
    status: 'PERMISSION_DENIED',
    message: 'This name cannot be registered',
    when: 'a registration asks for a name of AUTH_OPERATORS or AUTH_TEACHERS: whoever has it is an operator or teacher',
  },
  OPERATOR_REVOKED: {
    status: 'PERMISSION_DENIED',
    message: 'You do not have the role for this any more; log in again',
    when: 'the access token says that its user is an operator or teacher, but AUTH_OPERATORS, AUTH_TEACHERS and his live sessions do not, or he is blocked',
  },
  OPERATOR_PROTECTED: {
    status: 'PERMISSION_DENIED',
    message: 'An operator cannot be blocked or deleted; take the name out of AUTH_OPERATORS first',
    when: 'an operator blocks or deletes a user whom AUTH_OPERATORS names, himself for example',
  },
  ACTION_NOT_FOUND: {
    status: 'NOT_FOUND',
    message: 'There is no such action',
    when: 'the gateway reports the failure of an action that is not in the trail',
  },
  USER_NOT_FOUND: {
    status: 'NOT_FOUND',
    message: 'User does not exist',
    when: 'the acting user of a call, or a user whom an operator names, is not in the database',
  },
  PASSWORD_WRONG: {
    status: 'UNAUTHENTICATED',
    message: 'Current password is wrong',
    when: 'a password change shows a wrong current password, or another change came first',
  },
  PASSWORD_NOT_LOCAL: {
    status: 'FAILED_PRECONDITION',
    message: 'The password of this account is kept by the single sign-on provider',
    when: 'a single-sign-on user asks for a new password here',
  },
  LINK_INVALID: {
    status: 'FAILED_PRECONDITION',
    message: 'This link is not valid: it has been used, or has expired. Ask for a new one',
    when: 'a link is unknown, used, replaced by a newer one, or too old: an hour for a new password, a day for an address',
  },
  MAIL_DISABLED: {
    status: 'FAILED_PRECONDITION',
    message: 'This instance sends no mail; ask its operator',
    when: 'something is to be mailed while AUTH_SMTP_HOST is empty; an operator makes links to new passwords (README of auth)',
  },
  CLASS_NOT_FOUND: {
    status: 'NOT_FOUND',
    message: 'There is no such class',
    when: "a class is unknown, or another teacher's; the answer does not show which of the two",
  },
  CLASS_ENDED: {
    status: 'FAILED_PRECONDITION',
    message: 'The class has ended',
    when: 'links are asked for of a class whose accounts are blocked or deleted',
  },
  GROUP_NOT_FOUND: {
    status: 'NOT_FOUND',
    message: 'There is no such group',
    when: 'a group is unknown, or the acting user is no member of it; the answer does not show which of the two',
  },
  GROUP_ROLE_REQUIRED: {
    status: 'PERMISSION_DENIED',
    message: 'Only managers of the group may do this',
    when: 'a viewer or member changes a group or its members',
  },
  GROUP_OF_REALM: {
    status: 'FAILED_PRECONDITION',
    message: 'The single sign-on provider decides who is in this group',
    when: 'somebody changes a group that AUTH_SSO_GROUPS_CLAIM has made',
  },
  GROUPS_EXCEEDED: {
    status: 'RESOURCE_EXHAUSTED',
    message: 'Too many groups',
    when: 'a user is in 100 groups and makes one more, or is added to one more',
  },
  MEMBERS_EXCEEDED: {
    status: 'RESOURCE_EXHAUSTED',
    message: 'The group has too many members',
    when: 'somebody is added to a group of 1000 members',
  },
  MEMBER_EXISTS: {
    status: 'ALREADY_EXISTS',
    message: 'The user is a member of this group',
    when: 'somebody is added to a group who is in it',
  },
  MEMBER_NOT_FOUND: {
    status: 'NOT_FOUND',
    message: 'The user is no member of this group',
    when: 'a manager changes or removes somebody who is not in the group',
  },
  LAST_MANAGER: {
    status: 'FAILED_PRECONDITION',
    message: 'The group needs a manager: make somebody else one first, or delete the group',
    when: 'the only manager of a group leaves, is removed, or gets another role',
  },
  NAME_NOT_FOUND: {
    status: 'NOT_FOUND',
    message: 'There is no user of this name',
    when: 'somebody is added to a group, or given a share, by a user name that nobody has',
  },
  NAME_AMBIGUOUS: {
    status: 'INVALID_ARGUMENT',
    message: 'A local user and a user of the single sign-on provider have this name: say which',
    when: 'a user name is looked up without a provider, and both have one of this name',
  },
  SSO_DISABLED: {
    status: 'PERMISSION_DENIED',
    message: 'Single sign-on is not configured on this instance',
    when: 'a single-sign-on login arrives while AUTH_SSO_ISSUER_URL is empty',
  },
  SSO_TOKEN_INVALID: {
    status: 'UNAUTHENTICATED',
    message: 'Single sign-on token is invalid or has expired',
    when: 'the realm token fails a check: signature, issuer, audience, type, times, size or a claim that is needed',
  },
  SSO_CODE_INVALID: {
    status: 'UNAUTHENTICATED',
    message: 'The sign-in at the provider was not completed: try again',
    when: 'the realm refuses an authorization code, or its ID token is not the one that the browser asked for (nonce)',
  },
  SSO_CLAIM_MISSING: {
    status: 'UNAUTHENTICATED',
    message: 'Your account is not entitled to use this service',
    when: 'the realm token is genuine but lacks the claim that AUTH_SSO_REQUIRED_CLAIM demands',
  },
  SSO_USERNAME_TAKEN: {
    status: 'ALREADY_EXISTS',
    message: 'The user name of this account belongs to another account',
    when: 'the realm gives a user name to a new subject that is bound to another one here; what to do: README of auth',
  },
  SSO_REALM_UNAVAILABLE: {
    status: 'INTERNAL',
    message: 'Single sign-on validation failed: the provider cannot be reached',
    when: 'discovery document, keys or tokens of the realm cannot be read, or are not what they should be',
  },
  CREDENTIAL_NOT_FOUND: {
    status: 'NOT_FOUND',
    message: 'No valid SSH credential is stored for this user; log in again',
    when: 'a cluster credential is asked for a user whose login brought none, or whose certificate has expired',
  },
  CREDENTIAL_OF_ANOTHER: {
    status: 'PERMISSION_DENIED',
    message: 'The SSH credential belongs to another user',
    when: 'a cluster credential is asked for another user than the acting one',
  },
});
