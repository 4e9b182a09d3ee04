import type { Connection, KeyKeeping, KeyProtection } from '../../../shared/connection.ts';

const protections: Record<KeyProtection, string> = {
  session: 'kept until Gatehouse ends',
  file: 'kept in a file only you can read, not encrypted',
  keyring: 'encrypted by the system’s keyring',
  environment: 'from GATEHOUSE_API_KEY',
};

/** What is known about a connection's key, in one line. */
export function keyWords({ kind, key }: Pick<Connection, 'kind' | 'key'>): string {
  if (kind === 'demo') return 'Built in: simulated models on this machine, no key needed';
  if (key === null) return 'No key';
  const ending = key.lastFour === '' ? 'Key' : `Key ending in ${key.lastFour}`;
  return `${ending}, ${protections[key.protection]}`;
}

export const keepingLabels: Record<KeyKeeping, string> = {
  keyring: 'Encrypted by the system’s keyring',
  session: 'Only until Gatehouse ends',
  file: 'In a file that only you can read (not encrypted)',
};
