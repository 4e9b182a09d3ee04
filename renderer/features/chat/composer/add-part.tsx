import { useState } from 'react';
import type { Media } from '../../../../shared/media.ts';
import type { ContentPart } from '../../../../shared/operations/chat/message.ts';
import { anything } from '../../../media/uploads/media-filter.ts';
import { UrlField } from '../../../media/uploads/upload-controls.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { PlusIcon } from '../../../ui/icons/actions.tsx';
import { lazyDialog } from '../../../ui/lazy-component.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { TextField } from '../../../ui/text-field.tsx';

const MediaPicker = lazyDialog(
  'Add from library',
  async () => (await import('../../../media/library/media-picker.tsx')).MediaPicker,
);

const McpInsertDialog = lazyDialog(
  'Add from MCP server',
  async () => (await import('./mcp-insert-dialog.tsx')).McpInsertDialog,
);

interface AddPartProps {
  onPart: (part: ContentPart) => void;
  onText: (text: string) => void;
  onMedia: (media: Media) => void;
}

type OpenPart = 'image' | 'video' | 'file' | 'stored' | 'mcp' | null;

export function AddPart({ onPart, onText, onMedia }: AddPartProps) {
  const [open, setOpen] = useState<OpenPart>(null);
  const close = () => setOpen(null);
  const add = (part: ContentPart) => {
    onPart(part);
    close();
  };
  return (
    <>
      <Menu
        label="Add from URL or ID"
        icon={<PlusIcon />}
        align="start"
        items={[
          { id: 'image', label: 'Image URL…', onSelect: () => setOpen('image') },
          { id: 'video', label: 'Video URL…', onSelect: () => setOpen('video') },
          { id: 'file', label: 'File ID…', onSelect: () => setOpen('file') },
          'separator',
          { id: 'stored', label: 'From library…', onSelect: () => setOpen('stored') },
          { id: 'mcp', label: 'From MCP server…', onSelect: () => setOpen('mcp') },
        ]}
      />
      <Dialog open={open === 'image'} title="Add image from URL" onClose={close}>
        <UrlField
          label="Image URL"
          onUrl={(url) => add({ type: 'image_url', image_url: { url } })}
        />
      </Dialog>
      <Dialog open={open === 'video'} title="Add video from URL" onClose={close}>
        <UrlField
          label="Video URL"
          onUrl={(url) => add({ type: 'video_url', video_url: { url } })}
        />
      </Dialog>
      <FileIdDialog
        open={open === 'file'}
        onClose={close}
        onFile={(file) => add({ type: 'file', file })}
      />
      {open === 'mcp' && <McpInsertDialog onPart={onPart} onText={onText} onClose={close} />}
      {open === 'stored' && (
        <MediaPicker
          kinds={anything.kinds}
          title="Add from library"
          onPick={(media) => {
            onMedia(media);
            close();
          }}
          onClose={close}
        />
      )}
    </>
  );
}

interface FileIdDialogProps {
  open: boolean;
  onClose: () => void;
  onFile: (file: { file_id: string; filename?: string }) => void;
}

function FileIdDialog({ open, onClose, onFile }: FileIdDialogProps) {
  const [id, setId] = useState('');
  const [name, setName] = useState('');
  const trimmed = id.trim();
  const add = () => {
    if (trimmed === '') return;
    const filename = name.trim();
    onFile({ file_id: trimmed, ...(filename !== '' && { filename }) });
    setId('');
    setName('');
  };
  return (
    <Dialog
      open={open}
      title="Add file by ID"
      onClose={onClose}
      actions={
        <Button
          variant="primary"
          disabledReason={trimmed === '' ? 'Enter an ID first.' : null}
          onClick={add}
        >
          Add file
        </Button>
      }
    >
      <TextField
        label="File ID"
        monospace
        help="The ID the gateway returned when the file was uploaded."
        value={id}
        onValueChange={setId}
        onKeyDown={(event) => event.key === 'Enter' && add()}
      />
      <TextField
        label="File name"
        placeholder="Optional"
        value={name}
        onValueChange={setName}
        onKeyDown={(event) => event.key === 'Enter' && add()}
      />
    </Dialog>
  );
}
