import { type ComponentType, PureComponent, type ReactNode, useLayoutEffect } from 'react';
import { importPart } from '../lib/import-part.ts';
import { useIsDisconnected, useLinkState } from '../lib/link-state.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import styles from './lazy-component.module.css';

interface LazyOptions<Props> {
  waiting?: ComponentType<Props>;
  failed?: ComponentType<NoInfer<Props> & Failed>;
}

export interface Failed {
  onRetry: () => void;
  /** Shows the load error with a Try again button. */
  children: ReactNode;
}

type LazyComponentType<Props> = ComponentType<Props> & {
  /** Loads the component before it mounts. A failure is shown when it mounts. */
  preload: () => Promise<void>;
};

interface State<Props> {
  Part: ComponentType<Props> | null;
  hasFailed: boolean;
}

/**
 * Loads a component when it first mounts. On failure, shows Try again and retries on reconnect.
 * Doesn't suspend, because React reveals suspended components at most every 300 ms.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { waiting: Waiting, failed: Around }: LazyOptions<Props> = {},
): LazyComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  let loading: Promise<ComponentType<Props>> | null = null;

  /** Instances that mount during an attempt share it. */
  async function loadOnce(): Promise<ComponentType<Props>> {
    loading ??= importPart(load).finally(() => {
      loading = null;
    });
    loaded = await loading;
    return loaded;
  }

  return class LazyComponent extends PureComponent<Props, State<Props>> {
    static readonly preload = () => loadOnce().then(ignore, ignore);

    override state: State<Props> = { Part: loaded, hasFailed: false };

    override componentDidMount() {
      if (this.state.Part === null) void this.#load();
    }

    async #load(): Promise<void> {
      try {
        this.setState({ Part: await loadOnce() });
      } catch {
        this.setState({ hasFailed: true });
      }
    }

    readonly #retry = () => {
      this.setState({ hasFailed: false });
      void this.#load();
    };

    override render() {
      const { Part, hasFailed } = this.state;
      if (Part !== null) return <Part {...this.props} />;
      if (!hasFailed) return Waiting && <Waiting {...this.props} />;
      const retry = this.#retry;
      const message = <NotLoaded onRetry={retry} />;
      if (Around === undefined) return message;
      return (
        <Around {...this.props} onRetry={retry}>
          {message}
        </Around>
      );
    }
  };
}

/** Like `lazyComponent`, but shows the load error in a dialog with the same title. */
export function lazyDialog<Props extends { onClose: () => void }>(
  title: string,
  load: () => Promise<ComponentType<Props>>,
  options: Pick<LazyOptions<Props>, 'waiting'> = {},
): ComponentType<Props> {
  return lazyComponent(load, {
    ...options,
    failed: ({ onClose, children }) => (
      <Dialog open title={title} size="small" onClose={onClose}>
        {children}
      </Dialog>
    ),
  });
}

function NotLoaded({ onRetry }: { onRetry: () => void }) {
  const isLost = useIsDisconnected();
  useLayoutEffect(
    () =>
      useLinkState.subscribe((link) => {
        // Any response means the server is reachable, even if it rejects the page's session.
        if (link !== 'lost') onRetry();
      }),
    [onRetry],
  );
  return (
    <div role="alert" className={`wrap-8 ${styles.failed}`}>
      <p>Couldn’t load this section.{isLost && ' Gatehouse isn’t reachable.'}</p>
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}

/** Hides the load error, for a component that the page can do without. */
export function HiddenFallback({ children }: { children: ReactNode }) {
  return <div hidden>{children}</div>;
}

function ignore(): void {}
