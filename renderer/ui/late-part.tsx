import {
  Component,
  type ComponentType,
  type LazyExoticComponent,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
} from 'react';
import { useIsDisconnected, useLinkState } from '../lib/link-state.ts';
import { ChunkLoadError, loadPart } from '../lib/load-part.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import styles from './late-part.module.css';

interface LatePartOptions<Props> {
  /** In its place until it is there. */
  waiting?: ComponentType<Props>;
  /** Around the message that it did not load; the message alone unless given. */
  failed?: ComponentType<NoInfer<Props> & Failed>;
}

export interface Failed {
  onRetry: () => void;
  /** The message, with its button. */
  children: ReactNode;
}

interface State<Props> {
  Loaded: LazyExoticComponent<ComponentType<Props>>;
  error: unknown;
}

/**
 * A component that is loaded when it is first shown. Where its files do not arrive, it says so in its own place and
 * leaves all around it as it is; it loads again when the user says so, and by itself once the page is connected.
 */
export function latePart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { waiting: Waiting, failed: Around }: LatePartOptions<Props> = {},
): ComponentType<Props> {
  // React keeps what a lazy component was rejected with: each attempt is another one.
  const attempt = () =>
    lazy(async () => {
      try {
        return { default: await loadPart(load) };
      } catch (error) {
        next = attempt();
        throw error;
      }
    });
  let next = attempt();

  return class LatePart extends Component<Props, State<Props>> {
    override state: State<Props> = { Loaded: next, error: null };

    static getDerivedStateFromError(error: unknown) {
      return { error };
    }

    readonly #retry = () => this.setState({ Loaded: next, error: null });

    override render() {
      const { Loaded, error } = this.state;
      if (error === null) {
        // As a plain component: the type of a lazy one asks for a ref's props too.
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

/** A late part that is a dialog, and says in one that it did not load. */
export function lateDialog<Props extends { onClose: () => void }>(
  title: string,
  load: () => Promise<ComponentType<Props>>,
  options: Pick<LatePartOptions<Props>, 'waiting'> = {},
): ComponentType<Props> {
  return latePart(load, {
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
        // Whether or not it knows this page's session, the host is there.
        if (link !== 'lost') onRetry();
      }),
    [onRetry],
  );
  return (
    <div role="alert" className={styles.failed}>
      <p>This part of the page did not load.{isLost && ' Gatehouse is not reachable.'}</p>
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}

/** Around the message of a part that the page does without: it only loads by itself. */
export function Unsaid({ children }: { children: ReactNode }) {
  return <div hidden>{children}</div>;
}
