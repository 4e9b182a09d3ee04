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
  waiting?: ComponentType<Props>;
  failed?: ComponentType<NoInfer<Props> & Failed>;
}

export interface Failed {
  onRetry: () => void;
  /** Shows the load error with a Try again button. */
  children: ReactNode;
}

interface State<Props> {
  Loaded: LazyExoticComponent<ComponentType<Props>>;
  error: unknown;
}

/** Loads a component on first render. On failure, shows Try again and retries on reconnect. */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { waiting: Waiting, failed: Around }: LazyOptions<Props> = {},
): ComponentType<Props> {
  // React caches a lazy component's rejection, so each attempt needs a new component.
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
        // React's lazy component type also requires ref props.
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
  useEffect(
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
