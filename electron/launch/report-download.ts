/** Reports the progress and errors of Electron's install script, which doesn't print them. */

export type DownloadReport =
  | { type: 'bytes'; received: number; total: number | null }
  | { type: 'problem'; message: string };

const plainFetch = globalThis.fetch;

globalThis.fetch = async (...request) => {
  try {
    const response = await plainFetch(...request);
    return response.ok && response.body !== null ? reportBytes(response, response.body) : response;
  } catch (cause) {
    report({ type: 'problem', message: getDeepestMessage(cause) });
    throw cause;
  }
};

function reportBytes(response: Response, body: ReadableStream<Uint8Array<ArrayBuffer>>): Response {
  const length = response.headers.get('content-length');
  const total = length === null ? null : Number(length);
  let received = 0;
  report({ type: 'bytes', received, total });
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      received += chunk.length;
      report({ type: 'bytes', received, total });
      controller.enqueue(chunk);
    },
  });
  return new Response(body.pipeThrough(counter), response);
}

function report(what: DownloadReport): void {
  process.send?.(what);
}

function getDeepestMessage(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  if (cause.cause !== undefined) return getDeepestMessage(cause.cause);
  // The AggregateError of a host with several addresses has no message.
  if (cause instanceof AggregateError && cause.message === '') {
    return getDeepestMessage(cause.errors[0]);
  }
  return cause.message;
}
