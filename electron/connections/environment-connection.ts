/** The connection that GATEHOUSE_BASE_URL and GATEHOUSE_API_KEY describe. */
import { connectionInputSchema } from '../../shared/connection.ts';
import type { Notice } from '../../shared/contract/system.ts';

export type EnvironmentConnection =
  | { connection: { baseUrl: string; key: string | null } | null; notice: null }
  | { connection: null; notice: Notice };

/** None without an address; a notice where what is set cannot be used. It never holds the key. */
export function environmentConnection(environment: NodeJS.ProcessEnv): EnvironmentConnection {
  const address = environment.GATEHOUSE_BASE_URL?.trim() ?? '';
  const key = environment.GATEHOUSE_API_KEY?.trim() || null;
  if (address === '') {
    if (key === null) return { connection: null, notice: null };
    return unusable(
      'GATEHOUSE_API_KEY is set, but GATEHOUSE_BASE_URL is not, so the key is not used.',
    );
  }
  const baseUrl = connectionInputSchema.shape.baseUrl.safeParse(address);
  if (!baseUrl.success) {
    return unusable('GATEHOUSE_BASE_URL is not a valid URL.');
  }
  return { connection: { baseUrl: baseUrl.data, key }, notice: null };
}

function unusable(message: string): EnvironmentConnection {
  return {
    connection: null,
    notice: {
      id: 'environment-connection',
      level: 'warning',
      message,
      nextStep: 'Set GATEHOUSE_BASE_URL to a URL such as https://gateway.example.com and restart.',
    },
  };
}
