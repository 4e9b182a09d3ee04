import type { Media } from '../../../shared/media.ts';
import type { ConsoleInput } from '../../../shared/operations/console/input.ts';
import { LibraryButton } from '../../media/library/library-button.tsx';
import { MediaChip } from '../../media/players/media-chip.tsx';
import { useMedia } from '../../media/players/use-media.ts';
import { anything } from '../../media/uploads/media-filter.ts';
import { AttachButton, UploadList } from '../../media/uploads/upload-controls.tsx';
import { useUploads } from '../../media/uploads/use-uploads.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { PlusIcon, TrashIcon } from '../../ui/icons/actions.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './console.module.css';
import type { FormFile } from './console-draft.ts';
import { removeFromRequest, writeRequest } from './console-store.ts';

interface FormBodyProps {
  draft: ConsoleInput;
  error: string | null;
}

/** A multipart form: fields of text and one file. */
export function FormBody({ draft, error }: FormBodyProps) {
  const { fields, file } = draft;
  // Main names it on the way: an output's own name holds its prompt.
  const take = ({ id }: Media) =>
    writeRequest({ file: { name: file?.name ?? 'file', mediaId: id, filename: '' } });
  const uploads = useUploads({ place: 'console', filter: anything, onMedia: take });

  return (
    <div className={styles.formBody}>
      {fields.map((field, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: fields have no other identity.
        <div key={at} className={styles.pair}>
          <TextField
            label={`Name of field ${at + 1}`}
            hideLabel
            value={field.name}
            onValueChange={(name) => writeRequest({ fields: fields.with(at, { ...field, name }) })}
            placeholder="name"
            monospace
          />
          <TextField
            label={`Value of field ${at + 1}`}
            hideLabel
            value={field.value}
            onValueChange={(value) =>
              writeRequest({ fields: fields.with(at, { ...field, value }) })
            }
            placeholder="value"
            monospace
          />
          <IconButton
            size="small"
            label={`Remove field ${at + 1}`}
            icon={<TrashIcon size={14} />}
            onClick={() =>
              removeFromRequest({ fields: fields.toSpliced(at, 1) }, `Field ${at + 1} removed`)
            }
          />
        </div>
      ))}
      {file !== null && <FileField file={file} />}
      {error !== null && <p className={styles.error}>{error}</p>}
      <UploadList uploads={uploads} />
      <div className={styles.formActions}>
        <Button
          size="small"
          icon={<PlusIcon size={14} />}
          onClick={() => writeRequest({ fields: [...fields, { name: '', value: '' }] })}
        >
          Add field
        </Button>
        <AttachButton uploads={uploads} filter={anything} label="Attach" multiple={false} />
        <LibraryButton kinds={anything.kinds} title="Choose a file" onPick={take} />
      </div>
    </div>
  );
}

function FileField({ file }: { file: FormFile }) {
  const { media, isPending } = useMedia(file.mediaId);
  return (
    <div className={styles.pair}>
      <TextField
        label="File field name"
        hideLabel
        value={file.name}
        onValueChange={(name) => writeRequest({ file: { ...file, name } })}
        error={file.name.trim() === '' ? 'Enter a name.' : null}
        monospace
      />
      {media === null ? (
        <span className={styles.note}>
          {isPending ? 'Loading file…' : 'This file is no longer in the library.'}
        </span>
      ) : (
        <MediaChip media={media} />
      )}
      <IconButton
        size="small"
        label="Remove file"
        icon={<TrashIcon size={14} />}
        onClick={() => removeFromRequest({ file: null }, 'File removed')}
      />
    </div>
  );
}
