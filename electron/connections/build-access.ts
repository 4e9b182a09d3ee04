/** Builds a connection's additions to its requests from options, secrets and environment. */
import {
  type AddedValue,
  type ConnectionOptions,
  replaceVariables,
} from '../../shared/connection-options.ts';
import { appError, UserFacingError } from '../../shared/errors.ts';
import { parseProxy } from '../gateway/proxy-route.ts';
import type { AddedPair, GatewayAccess, GatewayRoute } from '../gateway/route.ts';
import { REDACTED } from '../redaction/redactor.ts';
import { getKeyParts, getLoginParts, getValueParts, isLikelySecret } from './connection-secrets.ts';
import type { WholeOptions } from './merge-options.ts';

export interface AccessParts extends WholeOptions {
  /** Null for a draft that isn't saved. */
  connection: { id: string; name: string } | null;
  key: string | null;
  environment: NodeJS.ProcessEnv;
}

/** Throws a `UserFacingError` if a value needs a variable that isn't set. */
export function buildAccess(parts: AccessParts): GatewayAccess {
  const { connection, key, options, secrets, environment } = parts;
  const resolve = (entry: AddedValue): AddedPair => {
    const text = entry.value ?? secrets.values.get(entry.id) ?? '';
    const value = replaceVariables(text, (name) => readVariable(name, entry, environment)).trim();
    return { name: entry.name, value, shown: entry.isSecret ? REDACTED : (entry.value ?? '') };
  };
  const headers = options.headers.map(resolve);
  const query = options.query.map(resolve);
  // A value may contain a variable's secret even if the value isn't marked as secret.
  const hidden = [...headers, ...query].filter(
    ({ value, shown }) => shown === REDACTED || (value !== shown.trim() && isLikelySecret(value)),
  );
  return {
    connection,
    key,
    keyHeader: options.keyHeader,
    headers,
    query,
    secrets: [
      ...(key === null ? [] : getKeyParts(key)),
      ...hidden.flatMap(({ value }) => getValueParts(value)),
      ...getLoginParts(secrets.proxyLogin),
    ],
    timeouts: options.timeouts,
    route: buildRoute(parts),
  };
}

function buildRoute({ options, caText, secrets }: AccessParts): GatewayRoute {
  return {
    proxy: buildProxy(options, secrets.proxyLogin),
    ca: caText,
    clientCertificate: secrets.clientCertificate,
    acceptedFingerprint: options.acceptedFingerprint,
  };
}

function buildProxy({ proxy }: ConnectionOptions, login: string | null): GatewayRoute['proxy'] {
  if (proxy.kind === 'default') return 'default';
  if (proxy.kind === 'none') return null;
  const server = parseProxy(login === null ? proxy.url : proxy.url.replace('//', `//${login}@`));
  // Connecting directly because a proxy can't be read could reveal the user's address.
  if (server === null) throw new UserFacingError(unreadableProxy);
  return server;
}

/** Prevents a page script from sending the environment's key to a gateway of its choice. */
const OWN_VARIABLE = /^GATEHOUSE_/i;

function readVariable(name: string, entry: AddedValue, environment: NodeJS.ProcessEnv): string {
  if (OWN_VARIABLE.test(name)) throw new UserFacingError(ownVariable(name, entry.name));
  const value = Object.hasOwn(environment, name) ? environment[name] : undefined;
  if (value === undefined || value === '')
    throw new UserFacingError(createMissingError(name, entry.name));
  return value;
}

function createMissingError(name: string, entry: string) {
  return appError(
    'invalid-request',
    `“${entry}” needs the environment variable ${name}, which isn’t set. The request wasn’t sent.`,
    'Set it and restart Gatehouse, or change the value. Write $$ for a dollar sign.',
  );
}

function ownVariable(name: string, entry: string) {
  return appError(
    'invalid-request',
    `“${entry}” can’t use ${name}, which only the Environment connection may send.`,
    'Use another variable, or enter the value.',
  );
}

const unreadableProxy = appError(
  'invalid-request',
  'This connection’s proxy isn’t a valid URL.',
  'Edit the connection and enter the proxy again.',
);
