import { Inspector } from '../features/inspector/inspector.tsx';
import {
  getMaxInspectorHeight,
  inspectorHeights,
  setInspectorHeight,
  toggleInspector,
  useLayout,
} from '../lib/layout.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { CloseIcon } from '../ui/icons/actions.tsx';
import { useFocusPassing } from '../ui/pass-focus.ts';
import { ResizeHandle } from '../ui/resize-handle.tsx';
import styles from './inspector-drawer.module.css';

export function InspectorDrawer() {
  const height = useLayout((layout) => layout.inspectorHeight);
  return (
    <section
      ref={useFocusPassing()}
      className={styles.drawer}
      style={{ height }}
      aria-label="Inspector"
      data-focus-fallback="inspector"
    >
      <ResizeHandle
        label="Inspector height"
        edge="top"
        size={height}
        min={inspectorHeights.min}
        max={getMaxInspectorHeight()}
        defaultSize={inspectorHeights.default}
        sizeAt={(event) => window.innerHeight - event.clientY}
        onResize={setInspectorHeight}
      />
      <header className={styles.header}>
        <h2 className={styles.title}>Inspector</h2>
        <IconButton
          label="Close inspector"
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
