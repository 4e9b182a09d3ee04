import {
  Component,
  type ComponentType,
  type LazyExoticComponent,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
} from 'react';
import { ChunkLoadError, importPart } from '../lib/import-part.ts';
import { useIsDisconnected, useLinkState } from '../lib/link-state.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import styles from './lazy-component.module.css';

interface LazyOptions<Props> {
  /** Shown while it loads. */
  waiting?: ComponentType<Props>;
  /** Wraps the message that it didn't load. */
  failed?: ComponentType<NoInfer<Props> & Failed>;
}

export interface Failed {
  onRetry: () => void;
  /** The message with Try again. */
  children: ReactNode;
}

interface State<Props> {
  Loaded: LazyExoticComponent<ComponentType<Props>>;
  error: unknown;
}

/**
 * Returns a component that is loaded when it is first rendered. If its files can't be loaded, it
 * shows a message with Try again in its place and retries by itself when the page reconnects.
 */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { waiting: Waiting, failed: Around }: LazyOptions<Props> = {},
): ComponentType<Props> {
  // React caches the rejection of a lazy component, so each attempt needs a new one.
  const attempt = () =>
    lazy(async () => {
      try {
        return { default: await importPart(load) };
      } catch (error) {
        next = attempt();
        throw error;
      }
    });
  let next = attempt();

  return class LazyComponent extends Component<Props, State<Props>> {
    override state: State<Props> = { Loaded: next, error: null };

    static getDerivedStateFromError(error: unknown) {
      return { error };
    }

    readonly #retry = () => this.setState({ Loaded: next, error: null });

    override render() {
      const { Loaded, error } = this.state;
      if (error === null) {
        // The type of a lazy component also requires the props of a ref.
        const Part: ComponentType<Props> = Loaded as unknown as ComponentType<Props>;
        return (
          <Suspense fallback={Waiting && <Waiting {...this.props} />}>
            <Part {...this.props} />
          </Suspense>
        );
      }
      if (!(error instanceof ChunkLoadError)) throw error;
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

/** Like `lazyComponent`, for a dialog: the message appears in a dialog with the same title. */
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
  useEffect(
    () =>
      useLinkState.subscribe((link) => {
        // Gatehouse is reachable, even if it rejects this page's session.
        if (link !== 'lost') onRetry();
      }),
    [onRetry],
  );
  return (
    <div role="alert" className={styles.failed}>
      <p>Couldn’t load this section.{isLost && ' Gatehouse isn’t reachable.'}</p>
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}

/** Hides the message of a component that the page can do without. */
export function HiddenFallback({ children }: { children: ReactNode }) {
  return <div hidden>{children}</div>;
}
