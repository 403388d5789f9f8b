/** Name of the realm of tests. */
export const REALM = 'site';
export const REDIRECT_URI = 'http://127.0.0.1/callback';
/** Where the console has the browser sent back to; Keycloak takes any port of the loopback address (RFC 8252, 7.3). */
const CONSOLE_REDIRECT_URI = 'http://127.0.0.1/console/sso';

/** Role that users of Tally have; `AUTH_SSO_REQUIRED_CLAIM=realm_access.roles=simulations`. */
export const KEYCLOAK_ROLE = 'simulations';

const KEY_PROVIDER = 'org.keycloak.keys.KeyProvider';

interface Component {
  readonly id: string;
  readonly providerId: string;
}

/** What an administrator does in Keycloak's console, over its REST interface. */
export class KeycloakAdmin {
  constructor(
    private readonly base: string,
    private readonly password: string,
  ) {}

  /**
   * A realm with the clients `tally` and `other`; users maria and tom, who have the role, and eve, who has not. Tokens
   * live for five minutes, as Keycloak has it.
   */
  async createRealm(password: string): Promise<void> {
    const client = (clientId: string) => ({
      clientId,
      publicClient: true,
      redirectUris: [REDIRECT_URI, CONSOLE_REDIRECT_URI],
      attributes: { 'pkce.code.challenge.method': 'S256' },
    });
    const user = (username: string, realmRoles: readonly string[]) => ({
      username,
      enabled: true,
      email: `${username}@example.org`,
      firstName: username,
      lastName: 'Example',
      credentials: [{ type: 'password', value: password }],
      realmRoles,
    });
    await this.send('POST', '', {
      realm: REALM,
      enabled: true,
      roles: { realm: [{ name: KEYCLOAK_ROLE }] },
      clients: [client('tally'), client('other')],
      users: [user('maria', [KEYCLOAK_ROLE]), user('tom', [KEYCLOAK_ROLE]), user('eve', [])],
    });
  }

  /** Adds a key that signs from now on; tokens of the one before stay good. */
  async addSigningKey(): Promise<void> {
    const config = { priority: ['1000'], enabled: ['true'], active: ['true'], algorithm: ['RS256'] };
    const key = { name: 'newer', providerId: 'rsa-generated', providerType: KEY_PROVIDER, config };
    await this.send('POST', `/${REALM}/components`, key);
  }

  /** Takes the oldest signing key away, and what it signed with it. */
  async removeOldestSigningKey(): Promise<void> {
    const keys = (await this.send('GET', `/${REALM}/components?type=${KEY_PROVIDER}`)) as (Component & {
      readonly name: string;
    })[];
    const oldest = keys.find(({ providerId, name }) => providerId === 'rsa-generated' && name !== 'newer');
    if (oldest === undefined) throw new Error(`no such key among ${JSON.stringify(keys)}`);
    await this.send('DELETE', `/${REALM}/components/${oldest.id}`);
  }

  private async send(method: string, realmPath: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.base}/admin/realms${realmPath}`, {
      method,
      headers: { authorization: `Bearer ${await this.login()}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`Keycloak answered ${response.status} to ${method} ${realmPath}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  private async login(): Promise<string> {
    const form = { grant_type: 'password', client_id: 'admin-cli', username: 'admin', password: this.password };
    const response = await fetch(`${this.base}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    const { access_token: token } = (await response.json()) as { access_token?: string };
    if (token === undefined) throw new Error(`Keycloak lets its administrator not in: ${response.status}`);
    return token;
  }
}
