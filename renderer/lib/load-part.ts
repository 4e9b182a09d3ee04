import { PageError } from './page-failure.ts';

/** A file of the page did not arrive: what needs it cannot be shown or done now. */
export class ChunkLoadError extends PageError {
  constructor(cause: unknown) {
    super({
      kind: 'unreachable',
      message: 'This part of the page did not load.',
      nextStep: 'Try again once Gatehouse is reachable.',
      gateway: null,
      detail: cause instanceof Error ? cause.message : String(cause),
    });
  }
}

/** What `load` imports. After a failure, a call tries again: also for the style sheets, which Vite takes for loaded. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    await loadFailedSheets();
    return await load();
  } catch (cause) {
    throw new ChunkLoadError(cause);
  }
}

const failedSheets = new Set<HTMLLinkElement>();

// On the window while it is on its way to the link: this event does not bubble.
addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedSheets.add(target);
  },
  true,
);

let loading: Promise<unknown> | null = null;

/** One attempt for all parts that ask meanwhile. */
async function loadFailedSheets(): Promise<void> {
  if (failedSheets.size > 0 && loading === null) {
    loading = Promise.all([...failedSheets].map(loadAgain)).finally(() => {
      loading = null;
    });
  }
  if (loading === null) return;
  await loading;
  if (failedSheets.size > 0) throw new Error('A style sheet did not load');
}

/** Settles either way: a link that fails again is among the failed ones again. */
function loadAgain(failed: HTMLLinkElement): Promise<void> {
  failedSheets.delete(failed);
  return new Promise((resolve) => {
    const link = document.createElement('link');
    link.rel = failed.rel;
    link.crossOrigin = failed.crossOrigin;
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => resolve());
    link.href = failed.href;
    failed.replaceWith(link);
  });
}
