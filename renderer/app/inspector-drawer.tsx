import { Inspector } from '../features/inspector/inspector.tsx';
import { setInspectorHeight, toggleInspector, useLayout } from '../lib/layout.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { CloseIcon } from '../ui/icons/close.tsx';
import styles from './inspector-drawer.module.css';
import { ResizeHandle } from './resize-handle.tsx';

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
        <div className={styles.content}>
          <Inspector />
        </div>
      </ErrorBoundary>
    </section>
  );
}
