/** Covers all kinds of redirects, including loops. */
import { type Fault, type FaultGroup, only, whole } from './fault.ts';

const kinds = [
  '300 Multiple Choices',
  '301 Moved Permanently',
  '302 Found',
  '303 See Other',
  '307 Temporary Redirect',
  '308 Permanent Redirect',
];
const keepsRequest = (status: string): boolean => /^30[78]/.test(status);

/** Builds a redirect. `to` must still match the target, because paths identify status requests. */
function redirect(name: string, status: string, to: string | null, more: Partial<Fault> = {}) {
  const headers: Record<string, string> = to === null ? {} : { Location: to };
  return whole(name, () => ({ status, type: '', headers, body: '' }), more);
}

export const redirects: FaultGroup[] = [
  {
    title: 'Redirects',
    // Covers a prompt, an upload, a poll, a download, and the console, which shows the redirect.
    tries: only('chat', 'transcription', 'video status', 'video file', 'console'),
    faults: [
      ...kinds.map((status) =>
        redirect(`${status}, within the gateway`, status, './moved', {
          sends: keepsRequest(status) ? 2 : 1,
        }),
      ),
      ...kinds.map((status) =>
        redirect(`${status}, to another host`, status, 'http://127.0.0.1:9/moved'),
      ),
      redirect('307 without a location', '307 Temporary Redirect', null),
      redirect('307 to no URL', '307 Temporary Redirect', 'http://['),
      redirect('307 to a script', '307 Temporary Redirect', 'javascript:alert(1)'),
      redirect('307 to a file', '307 Temporary Redirect', 'file:///etc/passwd'),
      redirect('307 with a password', '307 Temporary Redirect', 'http://u:p@127.0.0.1:9/'),
      ...['301 Moved Permanently', '308 Permanent Redirect'].map((status) =>
        redirect(`${status}, each time, to another host`, status, 'http://127.0.0.1:9/moved', {
          isLasting: true,
        }),
      ),
      redirect('307 to its own URL', '307 Temporary Redirect', '', {
        isLasting: true,
      }),
      redirect('307 in a loop', '307 Temporary Redirect', './again', {
        isLasting: true,
        sends: 6,
      }),
      redirect('302 in a loop', '302 Found', './again', { isLasting: true }),
      {
        name: '307 to ever new paths',
        isLasting: true,
        sends: 6,
        answer: ({ send, request }) =>
          send(
            `HTTP/1.1 307 T\r\nLocation: ${request.split(' ')[1]}x\r\nContent-Length: 0\r\n\r\n`,
          ),
      },
    ],
  },
];
