import { formatBytes } from '../../lib/format-quantity.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import styles from './body-head.module.css';
import type { BodyView } from './use-body-view.ts';

interface BodyHeadProps {
  title: string;
  text: string;
  view: BodyView;
  note?: string | undefined;
}

/** The line above a body: its size, pretty or raw, copy. */
export function BodyHead({ title, text, view, note }: BodyHeadProps) {
  return (
    <div className={styles.row}>
      <h3 className={styles.title}>{title}</h3>
      <span className={styles.note}>
        {formatBytes(new Blob([text]).size)}
        {note !== undefined && ` · ${note}`}
      </span>
      {view.mode !== null && (
        <span className={styles.modes}>
          <Button
            size="small"
            variant="quiet"
            aria-pressed={view.mode === 'pretty'}
            onClick={view.showPretty}
          >
            Pretty
          </Button>
          <Button
            size="small"
            variant="quiet"
            aria-pressed={view.mode === 'raw'}
            onClick={view.showRaw}
          >
            Raw
          </Button>
        </span>
      )}
      <CopyButton label={`Copy ${title.toLowerCase()}`} content={() => text} />
    </div>
  );
}
