import { type RefObject, useState } from 'react';
import type { LibraryItem } from '../../../shared/media.ts';
import { api } from '../../lib/api.ts';
import { formatBytes, formatClock, formatLength } from '../../lib/format-quantity.ts';
import { inspectRun } from '../../lib/layout.ts';
import { getPanelLabel } from '../../lib/panels.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { SendToMenu } from '../../media/hand-over/send-to.tsx';
import { getLibraryTitle, getOriginLabel } from '../../media/library/media-grid.tsx';
import { formatName, getMediaTitle } from '../../media/players/describe-media.ts';
import { DownloadButton } from '../../media/players/download-button.tsx';
import { MediaView } from '../../media/players/media-view.tsx';
import { FactTable } from '../../run/body/fact-table.tsx';
import { reopenRun } from '../../run/form/reopen.ts';
import { ActionBar } from '../../ui/action-bar.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { CloseIcon, TrashIcon } from '../../ui/icons/actions.tsx';
import { guardDelete } from '../../ui/press-guard.ts';
import { TextField } from '../../ui/text-field.tsx';
import styles from './library.module.css';

interface MediaDetailsProps {
  item: LibraryItem;
  nameField: RefObject<HTMLInputElement | null>;
  onStartRename: () => void;
  onDelete: () => void;
  onClose: () => void;
}

export function MediaDetails(props: MediaDetailsProps) {
  const { item, nameField, onStartRename, onDelete, onClose } = props;
  const { error, attempt } = useAttempt();
  const name = getMediaTitle(item);
  const title = getLibraryTitle(item);
  const { run } = item;

  return (
    <aside
      className={classNames(styles.details, 'stack-12 fixed')}
      aria-label="Details"
      onKeyDown={(event) => {
        if (event.defaultPrevented || (event.key !== 'Escape' && event.key !== 'F2')) return;
        event.preventDefault();
        if (event.key === 'F2') onStartRename();
        else onClose();
      }}
    >
      <div className="row-8 fixed between">
        <h2 className={styles.detailsTitle} title={title} dir="auto">
          {title}
        </h2>
        <IconButton
          size="small"
          label="Close details"
          icon={<CloseIcon size={14} />}
          onClick={onClose}
        />
      </div>
      <div className={styles.preview}>
        <MediaView
          media={item}
          title={name}
          // Hide the actions here: they appear below, and an image's full view has its own.
          {...(item.kind !== 'image' && { actions: null })}
        />
      </div>
      <ActionBar className="fixed">
        <SendToMenu media={item} />
        {item.kind === 'image' && <DownloadButton media={item} />}
        <Button
          size="small"
          variant="quiet"
          icon={<TrashIcon size={14} />}
          data-focus-fallback="undo"
          onClick={({ currentTarget }) => {
            if (guardDelete(item.id, currentTarget)) onDelete();
          }}
        >
          Delete
        </Button>
      </ActionBar>
      <Rename
        key={item.id}
        field={nameField}
        name={name}
        onRename={(next) => void attempt(() => api.media.rename({ id: item.id, name: next }))}
      />
      {error !== null && <ErrorAlert compact error={error} />}
      <FactTable isProse label="Facts" facts={getFacts(item)} />
      {run !== null && (
        <section className={classNames(styles.source, 'stack-8 fixed')} aria-label="Source">
          {run.preview !== '' && run.preview !== title && (
            <p className={styles.prompt}>{run.preview}</p>
          )}
          <ActionBar className="fixed">
            <Button
              size="small"
              onClick={() =>
                void attempt(async () => reopenRun((await api.runs.get({ id: run.id })).view))
              }
            >
              Open in {getPanelLabel(run.operation)}
            </Button>
            <Button size="small" variant="quiet" onClick={() => inspectRun(run.id)}>
              Inspect
            </Button>
          </ActionBar>
        </section>
      )}
    </aside>
  );
}

interface RenameProps {
  field: RefObject<HTMLInputElement | null>;
  name: string;
  onRename: (name: string) => void;
}

/** Saves on Enter and on blur; Escape restores the previous name. */
function Rename({ field, name, onRename }: RenameProps) {
  const [edit, setEdit] = useState({ of: name, text: name });
  // When the name changes elsewhere, show the new name and keep focus in the field.
  const typed = edit.of === name ? edit.text : name;
  const setTyped = (text: string) => setEdit({ of: name, text });
  function save() {
    const next = typed.trim();
    if (next === '') setTyped(name);
    else if (next !== name) onRename(next);
  }
  return (
    <TextField
      ref={field}
      label="Name"
      placeholder="Name"
      value={typed}
      onValueChange={setTyped}
      maxLength={200}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') save();
        if (event.key !== 'Escape' || typed === name) return;
        event.preventDefault();
        setTyped(name);
      }}
    />
  );
}

function getFacts(item: LibraryItem): [string, string][] {
  const { width, height, durationSeconds, sampleRate, frameRate } = item;
  const facts: [string, string | null][] = [
    ['Source', getOriginLabel(item)],
    ['Added', formatClock(item.createdAt, Date.now())],
    ['Format', formatName(item.type)],
    ['Size', formatBytes(item.sizeBytes)],
    ['Dimensions', width !== null && height !== null ? `${width} × ${height}` : null],
    ['Duration', durationSeconds === null ? null : formatLength(durationSeconds)],
    ['Frame rate', frameRate === null ? null : `${Number(frameRate.toFixed(2))} fps`],
    ['Sample rate', sampleRate === null ? null : `${sampleRate / 1000} kHz`],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}
