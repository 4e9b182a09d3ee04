import { Inspector } from '../features/inspector/inspector.tsx';
import {
  inspectorHeights,
  mostInspectorHeight,
  setInspectorHeight,
  toggleInspector,
  useLayout,
} from '../lib/layout.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { CloseIcon } from '../ui/icons/close.tsx';
import styles from './inspector-drawer.module.css';

export function InspectorDrawer() {
  const height = useLayout((layout) => layout.inspectorHeight);
  return (
    <section className={styles.drawer} style={{ height }} aria-label="Inspector">
      <ResizeHandle label="Inspector height" height={height} onResize={setInspectorHeight} />
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

interface ResizeHandleProps {
  label: string;
  height: number;
  onResize: (height: number) => void;
}

const stepPx = 16;

/** The upper edge of a drawer: dragged, or moved with the arrow keys, Home and End. */
function ResizeHandle({ label, height, onResize }: ResizeHandleProps) {
  const keys: Record<string, number> = {
    ArrowUp: height + stepPx,
    ArrowDown: height - stepPx,
    PageUp: height + 6 * stepPx,
    PageDown: height - 6 * stepPx,
    Home: inspectorHeights.least,
    End: window.innerHeight,
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that takes focus and moves is no <hr>
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation="horizontal"
      aria-valuenow={height}
      aria-valuemin={inspectorHeights.least}
      aria-valuemax={Math.max(height, mostInspectorHeight())}
      className={styles.handle}
      onKeyDown={(event) => {
        const next = keys[event.key];
        if (next === undefined) return;
        event.preventDefault();
        onResize(next);
      }}
      onDoubleClick={() => onResize(inspectorHeights.usual)}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
        onResize(window.innerHeight - event.clientY);
      }}
    />
  );
}
