import { lazy, Suspense } from 'react';
import { setInspectorHeight, toggleInspector, useLayout } from '../lib/layout.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { CloseIcon } from '../ui/icons/actions.tsx';
import { Spinner } from '../ui/spinner.tsx';
import styles from './inspector-drawer.module.css';
import { ResizeHandle } from './resize-handle.tsx';

const Inspector = lazy(async () => ({
  default: (await import('../features/inspector/inspector.tsx')).Inspector,
}));

export function InspectorDrawer() {
  const height = useLayout((layout) => layout.inspectorHeight);
  return (
    <section className={styles.drawer} style={{ height }} aria-label="Inspector">
      <ResizeHandle label="Inspector height" height={height} onResize={setInspectorHeight} />
      <header className={styles.header}>
        <h2 className={styles.title}>Inspector</h2>
        <IconButton
          label="Close the inspector"
          shortcut="Mod+J"
          size="small"
          icon={<CloseIcon />}
          onClick={toggleInspector}
        />
      </header>
      <ErrorBoundary name="Inspector">
        <Suspense
          fallback={
            <div className={styles.loading}>
              <Spinner size={16} label="Loading the inspector" />
            </div>
          }
        >
          <div className={styles.content}>
            <Inspector />
          </div>
        </Suspense>
      </ErrorBoundary>
    </section>
  );
}
