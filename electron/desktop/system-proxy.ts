/** The system's proxy settings, as Chromium resolves them. */
import type { Session } from 'electron';

/** Answers a PAC text such as `PROXY proxy.example:3128; DIRECT`. */
export function systemProxyOf(session: Pick<Session, 'resolveProxy'>) {
  return (url: string): Promise<string> => session.resolveProxy(url);
}
