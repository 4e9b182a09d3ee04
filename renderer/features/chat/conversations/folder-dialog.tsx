import { useState } from 'react';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { type FolderDialog, openFolderDialog } from '../chat-store.ts';
import { moveToFolder, renameFolder } from './organize-conversations.ts';

const MAX_LENGTH = 80;

export function FolderNameDialog({ dialog }: { dialog: FolderDialog }) {
  const before = 'folder' in dialog ? dialog.folder : '';
  const [name, setName] = useState(before);
  const trimmed = name.trim().slice(0, MAX_LENGTH);
  const close = () => openFolderDialog(null);
  return (
    <FormDialog
      title={'folder' in dialog ? 'Rename folder' : 'New folder'}
      size="small"
      saveLabel={'folder' in dialog ? 'Rename' : 'Create folder'}
      disabledReason={trimmed === '' ? 'Enter a name.' : null}
      onClose={close}
      onSave={() => {
        close();
        if (trimmed === before) return;
        if ('folder' in dialog) void renameFolder(before, trimmed);
        else void moveToFolder(dialog.ids, trimmed);
      }}
    >
      <TextField
        label="Folder name"
        value={name}
        onValueChange={setName}
        autoFocus
        onFocus={(event) => event.currentTarget.select()}
      />
    </FormDialog>
  );
}
