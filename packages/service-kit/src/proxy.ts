import type { Agent } from 'node:http';
import { getProxyForUrl } from 'proxy-from-env';
import type { ProxyAgent } from 'undici';

// What leaves the cluster over HTTP goes through the proxy that the environment names, by the rules of curl: HTTPS_PROXY,
// HTTP_PROXY, ALL_PROXY and NO_PROXY, also in small letters. Every proxy is asked for a tunnel (CONNECT), so that it sees no
// more than the name of the other end, and TLS ends there. gRPC, databases and the broker never go through one.

/** The proxy for a URL; undefined: none. */
export function proxyFor(url: string): string | undefined {
  return getProxyForUrl(url) || undefined;
}

/** Agent for `node:http` and `node:https` that reaches a URL through its proxy; undefined: it has none. */
export async function proxyAgentFor(url: string): Promise<Agent | undefined> {
  const proxy = proxyFor(url);
  if (proxy === undefined) return undefined;
  const { HttpsProxyAgent } = await import('https-proxy-agent'); // it makes tunnels for http: too
  return new HttpsProxyAgent(proxy, { keepAlive: true });
}

/** One for each proxy: it keeps its connections. */
const dispatchers = new Map<string, ProxyAgent>();

/** `fetch`, through the proxy of its URL if it has one. */
export async function fetchByProxy(url: string, init: RequestInit): Promise<Response> {
  const proxy = proxyFor(url);
  if (proxy === undefined) return fetch(url, init);
  const undici = await import('undici'); // Node's own fetch takes no proxy before Node 24
  const dispatcher = dispatchers.get(proxy) ?? new undici.ProxyAgent(proxy);
  dispatchers.set(proxy, dispatcher);
  return undici.fetch(url, { ...(init as object), dispatcher });
}
