/** Binds the server to a port of 127.0.0.1. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export const DEFAULT_PORT = 4680;

export interface Listening {
  port: number;
  /** True if the default port was taken and a free one is used instead. */
  isSubstitute: boolean;
}

/** `port` null takes the default port, or a free one. Rejects where a given port is taken. */
export async function listen(server: Server, port: number | null): Promise<Listening> {
  if (port !== null) return { port: await bind(server, port), isSubstitute: false };
  try {
    return { port: await bind(server, DEFAULT_PORT), isSubstitute: false };
  } catch (error) {
    if (!isAddressInUse(error)) throw error;
    return { port: await bind(server, 0), isSubstitute: true };
  }
}

export function isAddressInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

function bind(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
