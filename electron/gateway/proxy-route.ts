/** Finds the proxy for a request in the environment, then in the system settings. */

export interface ProxyServer {
  /** A SOCKS proxy resolves the gateway's host name itself. */
  protocol: 'http:' | 'https:' | 'socks4:' | 'socks5:';
  hostname: string;
  port: number;
  login: { user: string; password: string } | null;
}

export interface ProxySources {
  environment: Record<string, string | undefined>;
  /** Resolves to PAC text, such as `DIRECT`. */
  systemProxy: ((url: string) => Promise<string>) | null;
}

const LOOPBACK =
  /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]+\])$/;

/** Returns null for a direct connection; loopback addresses never use a proxy. */
export async function findProxy(url: URL, sources: ProxySources): Promise<ProxyServer | null> {
  if (LOOPBACK.test(url.hostname)) return null;
  const fromEnvironment = environmentProxy(url, sources.environment);
  if (fromEnvironment !== undefined) return fromEnvironment;
  if (sources.systemProxy === null) return null;
  const pac = await sources.systemProxy(url.href).catch(() => 'DIRECT');
  return readPac(pac);
}

/** Returns undefined if the environment sets no proxy, or null if NO_PROXY matches the address. */
function environmentProxy(
  url: URL,
  environment: ProxySources['environment'],
): ProxyServer | null | undefined {
  const setting = (name: string) => environment[name.toLowerCase()] || environment[name];
  const named = setting(url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  const address = named || setting('ALL_PROXY');
  if (!address) return undefined;
  if (isInNoProxy(url, setting('NO_PROXY') ?? '')) return null;
  return parseProxy(address);
}

/** `example.com`, `.example.com` and `*.example.com` all match subdomains. */
function isInNoProxy(url: URL, exceptions: string): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return exceptions.split(/[\s,]+/).some((exception) => {
    if (exception === '*') return true;
    const [, name, onlyPort] = /^(?:\*?\.)?(.+?)(?::(\d+))?$/.exec(exception.toLowerCase()) ?? [];
    if (!name || (onlyPort !== undefined && onlyPort !== port)) return false;
    return url.hostname === name || url.hostname.endsWith(`.${name}`);
  });
}

/** Returns null if the address isn’t that of a supported proxy; the default scheme is http. */
export function parseProxy(address: string): ProxyServer | null {
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`;
  if (!URL.canParse(withScheme)) return null;
  const { protocol, hostname, port, username, password } = new URL(withScheme);
  const kind = getKind(protocol);
  if (kind === null) return null;
  return {
    protocol: kind,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? defaultPort[kind] : Number(port),
    login: username === '' ? null : { user: decode(username), password: decode(password) },
  };
}

/** Accepts the proxy schemes that curl and Chromium support. */
function getKind(protocol: string): ProxyServer['protocol'] | null {
  if (protocol === 'http:' || protocol === 'https:') return protocol;
  if (/^socks4a?:$/.test(protocol)) return 'socks4:';
  return /^socks(?:5h?)?:$/.test(protocol) ? 'socks5:' : null;
}

/** Returns a malformed encoding, such as a lone `%`, unchanged. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const defaultPort = { 'http:': 80, 'https:': 443, 'socks4:': 1080, 'socks5:': 1080 };

/** Uses the first supported entry; `SOCKS` without a version means SOCKS 4. */
function readPac(pac: string): ProxyServer | null {
  for (const entry of pac.split(';')) {
    const [kind = '', address = ''] = entry.trim().split(/\s+/);
    const scheme = pacSchemes[kind.toUpperCase()];
    if (scheme === undefined) continue;
    return scheme === null ? null : parseProxy(`${scheme}://${address}`);
  }
  return null;
}

const pacSchemes: Readonly<Record<string, string | null>> = {
  DIRECT: null,
  PROXY: 'http',
  HTTP: 'http',
  HTTPS: 'https',
  SOCKS: 'socks4',
  SOCKS4: 'socks4',
  SOCKS5: 'socks5',
};
