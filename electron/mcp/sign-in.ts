/**
 * Signs in to an MCP server with OAuth 2.1: registers Gatehouse, opens the browser, and receives
 * the code on a loopback address (RFC 8252). The tokens are kept in the key vault.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import {
  type AuthProvider,
  auth,
  Client,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  InsufficientScopeError,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type Transport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { parseJson } from '../../shared/parse-json.ts';
import type { Network } from '../gateway/network.ts';
import { createHttpTransport } from './http-transport.ts';

/** Reads and writes the server's entry in the key vault. */
export interface SignInStore {
  get: () => Promise<ReadonlyMap<string, string>>;
  set: (values: ReadonlyMap<string, string>) => Promise<void>;
}

/** Stored as separate values, so that each is redacted wherever it appears. */
const SECRET_NAMES = ['access_token', 'refresh_token', 'id_token', 'client_secret'] as const;

const tokensSchema = z.looseObject({
  access_token: z.string(),
  token_type: z.string(),
  scope: z.string().optional().catch(undefined),
});
const clientSchema = z.looseObject({ client_id: z.string() });

type Kind = 'tokens' | 'client';

/** Stores tokens or a registration, with the secrets as separate values. */
async function keep(store: SignInStore, kind: Kind, fields: Record<string, unknown>) {
  const values = new Map([...(await store.get())].filter(([name]) => !name.startsWith(`${kind}.`)));
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const isSecret = SECRET_NAMES.some((secret) => secret === name);
    if (isSecret && typeof value === 'string') values.set(`${kind}.${name}`, value);
    else rest[name] = value;
  }
  values.set(`${kind}.rest`, JSON.stringify(rest));
  await store.set(values);
}

async function find<Schema extends z.ZodType>(store: SignInStore, kind: Kind, schema: Schema) {
  const values = await store.get();
  const rest = z
    .record(z.string(), z.unknown())
    .safeParse(parseJson(values.get(`${kind}.rest`) ?? ''));
  const secrets = SECRET_NAMES.flatMap((name) => {
    const value = values.get(`${kind}.${name}`);
    return value === undefined ? [] : [[name, value]];
  });
  return schema.safeParse({ ...rest.data, ...Object.fromEntries(secrets) }).data;
}

interface ProviderOptions {
  store: SignInStore;
  redirectUrl: string;
  state: string;
  onRedirect: (url: URL) => void;
}

function createProvider({ store, redirectUrl, state, onRedirect }: ProviderOptions) {
  let verifier = '';
  /** Binds the code to the authorization server that the user was sent to. */
  let discovered: OAuthDiscoveryState | undefined;
  /** Stored with the tokens, so that an abandoned sign-in leaves nothing behind. */
  let registered: Record<string, unknown> | null = null;
  const clientMetadata: OAuthClientMetadata = {
    client_name: 'Gatehouse',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata,
    state: () => state,
    clientInformation: async () =>
      registered === null ? find(store, 'client', clientSchema) : clientSchema.parse(registered),
    saveClientInformation: (client) => {
      registered = { ...client };
    },
    tokens: () => find(store, 'tokens', tokensSchema),
    async saveTokens(tokens) {
      if (registered !== null) await keep(store, 'client', registered);
      await keep(store, 'tokens', { ...tokens });
    },
    redirectToAuthorization: onRedirect,
    saveCodeVerifier: (text) => {
      verifier = text;
    },
    codeVerifier: () => verifier,
    saveDiscoveryState(state) {
      discovered = state;
    },
    discoveryState: () => discovered,
    async invalidateCredentials(scope) {
      if (scope === 'verifier') return;
      discovered = undefined;
      if (scope === 'discovery') return;
      if (scope !== 'tokens') registered = null;
      const kept = [...(await store.get())].filter(
        ([name]) => scope === 'tokens' && !name.startsWith('tokens.'),
      );
      await store.set(new Map(kept));
    },
  };
  return provider;
}

/** Sends the saved token and refreshes it, but never asks the user, who may be away. */
export function createTokenProvider(store: SignInStore): AuthProvider {
  const provider = createProvider({
    store,
    redirectUrl: 'http://127.0.0.1/callback',
    state: '',
    onRedirect: () => undefined,
  });
  return {
    token: async () => (await provider.tokens())?.access_token,
    async onUnauthorized({ response, serverUrl, fetchFn }) {
      const tokens = await provider.tokens();
      if (tokens?.refresh_token === undefined) throw new UnauthorizedError();
      const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
      const outcome = await auth(provider, {
        serverUrl,
        fetchFn,
        ...(resourceMetadataUrl && { resourceMetadataUrl }),
        ...(scope !== undefined && { scope }),
      });
      if (outcome !== 'AUTHORIZED') throw new UnauthorizedError();
    },
  };
}

/** The access that a server demanded with 403 `insufficient_scope`. */
export interface NeededAccess {
  /** Separated by spaces. */
  scope: string;
  resourceMetadataUrl: URL | undefined;
}

/** Returns null unless a request failed because the token doesn't cover it. */
export function readNeededAccess(cause: unknown): NeededAccess | null {
  if (!(cause instanceof InsufficientScopeError)) return null;
  const { requiredScope = '', resourceMetadataUrl } = cause;
  const scope = requiredScope.match(SCOPE)?.join(' ').slice(0, MAX_SCOPE_LENGTH) ?? '';
  return { scope, resourceMetadataUrl };
}

/** The characters that RFC 6749 allows in a scope. */
const SCOPE = /[\x21\x23-\x5B\x5D-\x7E]+/g;
const MAX_SCOPE_LENGTH = 2000;

interface SignInOptions {
  name: string;
  url: string;
  headers: ReadonlyMap<string, string>;
  store: SignInStore;
  network: Pick<Network, 'connect'>;
  now: () => number;
  /** More access than was granted before; null to ask for what the server names by itself. */
  access: NeededAccess | null;
  /** Called with null once the tokens are stored, or with the reason if there are none. */
  onDone: (problem: string | null) => void;
}

export interface PendingSignIn {
  /** The page that the user signs in on. */
  url: string;
  close: () => void;
}

const LIMIT_MS = 600_000;

/** Throws a `UserFacingError` if the server doesn't support sign-in. */
export async function startSignIn(options: SignInOptions): Promise<PendingSignIn> {
  const { name, store, onDone } = options;
  const state = randomBytes(16).toString('base64url');
  const target = Promise.withResolvers<URL>();
  let finish: (params: URLSearchParams) => Promise<void> = async () => undefined;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const isOurs = pathname === '/callback' && searchParams.get('state') === state;
    const end = (status: number, text: string) =>
      response
        .writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' })
        .end(text);
    if (!isOurs) {
      end(404, 'Not found');
      return;
    }
    finish(searchParams)
      .then(() => {
        end(200, 'You’re signed in. You can close this tab and return to Gatehouse.');
        onDone(null);
      })
      .catch((cause: unknown) => {
        const words = searchParams.get('error_description') ?? searchParams.get('error');
        const reason = words ?? (cause instanceof Error ? cause.message : String(cause));
        end(400, 'Signing in failed. Return to Gatehouse for the reason.');
        onDone(reason);
      })
      .finally(close);
  });
  const expire = setTimeout(() => {
    onDone('It took longer than ten minutes.');
    close();
  }, LIMIT_MS);
  function close(): void {
    clearTimeout(expire);
    server.close();
  }

  try {
    const port = await listen(server);
    const granted = (await find(store, 'tokens', tokensSchema))?.scope;
    // A registration is bound to its redirect address, whose port changes each time.
    await store.set(new Map());
    const redirectUrl = `http://127.0.0.1:${port}/callback`;
    const onRedirect = (url: URL) => target.resolve(url);
    const provider = createProvider({ store, redirectUrl, state, onRedirect });
    const { transport, fetch } = createHttpTransport({
      url: options.url,
      headers: options.headers,
      network: options.network,
      now: options.now,
      authProvider: provider,
      messages: unrecorded,
      onEnd: () => undefined,
    });
    finish = async (params) => {
      try {
        if (params.get('code') === null) throw new Error('There is no code.');
        await transport.finishAuth(params);
      } finally {
        await transport.close();
      }
    };
    if (options.access === null) await connectWithoutToken(transport, target);
    else {
      const { scope, resourceMetadataUrl } = options.access;
      const all = computeScopeUnion(granted, scope);
      await auth(provider, {
        serverUrl: options.url,
        fetchFn: fetch,
        ...(all !== undefined && { scope: all }),
        ...(resourceMetadataUrl && { resourceMetadataUrl }),
      });
    }
    const { href, protocol } = await target.promise;
    if (!/^https?:$/.test(protocol)) throw new Error(`The page to sign in is ${protocol}`);
    return { url: href, close };
  } catch (cause) {
    close();
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new UserFacingError(
      appError(
        'unreachable',
        `Couldn’t start signing in to ${name}.`,
        'Check its URL, or add a header with a token.',
        { detail },
      ),
    );
  }
}

/** Lets the SDK find the page to sign in on when the server asks for a token. */
async function connectWithoutToken(
  transport: Transport,
  target: PromiseWithResolvers<URL>,
): Promise<void> {
  const client = new Client({ name: 'Gatehouse', version: '1' });
  await client.connect(transport).then(
    () => target.reject(new Error('The server asks for no sign-in.')),
    (cause: unknown) => {
      if (!(cause instanceof UnauthorizedError)) target.reject(cause);
    },
  );
}

/** A sign-in ends before the server is asked for anything. */
const unrecorded = {
  addSent: () => ({ callId: null, setStatus: () => undefined }),
  addReceived: () => undefined,
};

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}
