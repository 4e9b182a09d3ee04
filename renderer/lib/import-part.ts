import { PageError } from './page-failure.ts';

/** A JavaScript or CSS file that failed to load. */
export class ChunkLoadError extends PageError {
  constructor(cause: unknown) {
    super({
      kind: 'unreachable',
      message: 'Couldn’t load this section.',
      nextStep: 'Try again when Gatehouse is running.',
      gateway: null,
      detail: cause instanceof Error ? cause.message : String(cause),
    });
  }
}

/** Reloads failed style sheets, which Vite treats as loaded, then calls `load`. */
export async function importPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    await loadFailedSheets();
    return await load();
  } catch (cause) {
    throw new ChunkLoadError(cause);
  }
}

const failedSheets = new Set<HTMLLinkElement>();

// Listen in the capture phase, because the error event of a `<link>` doesn't bubble.
addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedSheets.add(target);
  },
  true,
);

let loading: Promise<unknown> | null = null;

/** Concurrent calls share one attempt. */
async function loadFailedSheets(): Promise<void> {
  if (failedSheets.size > 0 && loading === null) {
    loading = Promise.all([...failedSheets].map(loadAgain)).finally(() => {
      loading = null;
    });
  }
  if (loading === null) return;
  await loading;
  if (failedSheets.size > 0) throw new Error('A style sheet didn’t load');
}

/** Always resolves; a style sheet that fails again returns to the failed set. */
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
