import { type RefObject, useRef, useState } from 'react';
import type { Media } from '../../../../shared/media.ts';
import type { ContentPart } from '../../../../shared/operations/chat/message.ts';
import { anything } from '../../../media/uploads/media-filter.ts';
import { FileInput, UrlField } from '../../../media/uploads/upload-controls.tsx';
import type { Uploads } from '../../../media/uploads/use-uploads.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { PlusIcon } from '../../../ui/icons/actions.tsx';
import { showInlineNote } from '../../../ui/inline-note.ts';
import { lazyDialog } from '../../../ui/lazy-component.tsx';
import { Menu, type MenuItem } from '../../../ui/menu.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { openEditor } from '../conversation/chat-store.ts';
import { addPart, addText, type ComposerForm } from '../conversation/composer-form.ts';

const MediaPicker = lazyDialog(
  'Add from library',
  async () => (await import('../../../media/library/media-picker.tsx')).MediaPicker,
);

const McpInsertDialog = lazyDialog(
  'Add from MCP server',
  async () => (await import('./mcp-insert-dialog.tsx')).McpInsertDialog,
);

const PromptsDialog = lazyDialog(
  'Prompts',
  async () => (await import('../../../run/form/prompts-dialog.tsx')).PromptsDialog,
);

interface ComposerMenuProps {
  form: ComposerForm;
  uploads: Uploads;
  onMedia: (media: Media) => void;
  /** Opens the message's role and name. */
  onHead: () => void;
  /** Why the message can't be added without a run now; null if it can. */
  addReason: string | null;
  onAdd: () => void;
  /** False while a recording is in progress. */
  canSetMicrophone: boolean;
  onMicrophone: () => void;
  trigger: RefObject<HTMLButtonElement | null>;
}

type OpenPart = 'image' | 'video' | 'file' | 'stored' | 'mcp' | 'prompts' | null;

/** Adds something to the message, or edits how it is sent. */
export function ComposerMenu(props: ComposerMenuProps) {
  const { form, uploads, onMedia, onHead, addReason, onAdd, trigger } = props;
  const [open, setOpen] = useState<OpenPart>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const close = () => setOpen(null);
  const onPart = (part: ContentPart) => addPart(form, part);
  const add = (part: ContentPart) => {
    onPart(part);
    close();
  };
  const item = (part: OpenPart & string, label: string): MenuItem => ({
    id: part,
    label,
    onSelect: () => setOpen(part),
  });
  return (
    <>
      <Menu
        label="Add"
        icon={<PlusIcon />}
        align="start"
        triggerRef={trigger}
        items={[
          { id: 'attach', label: 'Attach…', onSelect: () => chooser.current?.click() },
          item('stored', 'From library…'),
          item('mcp', 'From MCP server…'),
          item('image', 'Image URL…'),
          item('video', 'Video URL…'),
          item('file', 'File ID…'),
          'separator',
          item('prompts', 'Prompts…'),
          { id: 'tools', label: 'Tools…', onSelect: () => openEditor('tools') },
          { id: 'head', label: 'Role and name…', onSelect: onHead },
          {
            id: 'microphone',
            label: 'Microphone…',
            disabled: !props.canSetMicrophone,
            onSelect: props.onMicrophone,
          },
          'separator',
          {
            id: 'add',
            label: 'Add message only',
            onSelect() {
              if (addReason === null) onAdd();
              else if (trigger.current !== null) showInlineNote(trigger.current, addReason);
            },
          },
        ]}
      />
      <FileInput ref={chooser} uploads={uploads} filter={anything} label="Attach" />
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
      {open === 'mcp' && (
        <McpInsertDialog onPart={onPart} onText={(text) => addText(form, text)} onClose={close} />
      )}
      {open === 'prompts' && <PromptsDialog form={form} onRows={undefined} onClose={close} />}
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
