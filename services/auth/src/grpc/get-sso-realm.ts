import type { auth } from '@tally/contracts';
import type { CreateSsoSessionPorts } from '../domain/session/create-sso-session.js';

/** GetSsoRealm. */
export function getSsoRealmRpc({ sso }: Pick<CreateSsoSessionPorts, 'sso'>) {
  return async (): Promise<auth.GetSsoRealmResponse> => {
    const none = {
      clientId: '',
      scope: '',
      authorizationEndpoint: '',
      tokenEndpoint: '',
      deviceAuthorizationEndpoint: '',
    };
    if (sso === undefined) return { ...none, issuer: '' };
    const { client, rules, realm } = sso;
    if (client === undefined) return { ...none, issuer: rules.issuer };
    const { authorization, token, deviceAuthorization } = await realm.endpoints();
    return {
      issuer: rules.issuer,
      clientId: client.clientId,
      scope: client.scope,
      authorizationEndpoint: authorization,
      tokenEndpoint: token,
      deviceAuthorizationEndpoint: deviceAuthorization ?? '',
    };
  };
}
