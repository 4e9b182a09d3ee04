import { type ReactNode, useState } from 'react';
import { MAX_NAME_LENGTH } from '../../../shared/saved-items.ts';
import { api } from '../../lib/api.ts';
import { offerUndo } from '../../lib/undo.ts';
import { useAttempt } from '../../lib/use-attempt.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { offerUndoOfReplacement } from './change-with-undo.ts';

interface SavedItem {
  id: string;
  name: string;
}

/** The procedures of one kind of saved item. */
interface SavedItemsApi<Item> {
  list: () => Promise<Item[]>;
  /** Replaces the item with the same name, if any. */
  save: (item: Omit<Item, 'id'>) => Promise<Item>;
}

/** Saves the item and, if it replaced the `existing` one, offers Undo at `place`. */
export async function saveItem<Item extends SavedItem>(
  items: SavedItemsApi<Item>,
  item: Omit<Item, 'id'>,
  existing: Item | undefined,
  place: string,
): Promise<void> {
  const saved = await items.save(item);
  if (existing === undefined) return;
  offerUndoOfReplacement<Item>(`“${saved.name}” replaced`, {
    before: existing,
    after: saved,
    read: async () => (await items.list()).find(({ id }) => id === saved.id) ?? null,
    write: (value) => items.save(value),
    place,
  });
}

interface RemovalOffer {
  place: string;
  /** The message for combined offers, with "#" for the count. */
  words: string;
  onUndone?: () => void;
}

/** Deletes an item of any kind and offers Undo. */
export async function removeItem(
  { id, name }: SavedItem,
  { place, words, onUndone }: RemovalOffer,
): Promise<void> {
  const { deletionId } = await api.saved.remove({ id });
  if (deletionId === null) return;
  offerUndo({
    message: `“${name}” deleted`,
    several: { words },
    place,
    undo: deletionId,
    ...(onUndone && { onUndone }),
  });
}

interface SaveItemDialogProps<Item> {
  /** Names the kind, such as `tool set`. */
  what: string;
  items: SavedItemsApi<Item>;
  saved: readonly Item[];
  initialName?: string;
  createItem: (name: string) => Omit<Item, 'id'>;
  /** The `UndoBars` that show the offers. */
  place: string;
  onClose: () => void;
  children?: ReactNode;
}

/** Asks for the name under which to save an item. */
export function SaveItemDialog<Item extends SavedItem>({
  what,
  items,
  saved,
  initialName = '',
  createItem,
  place,
  onClose,
  children,
}: SaveItemDialogProps<Item>) {
  const initial = initialName.slice(0, MAX_NAME_LENGTH);
  const [name, setName] = useState(initial);
  const { attempt, busy, error } = useAttempt();
  const trimmed = name.trim();
  const existing = saved.find((one) => one.name === trimmed);

  async function save() {
    const isSaved = await attempt(() => saveItem(items, createItem(trimmed), existing, place));
    if (!isSaved) return;
    if (existing === undefined) offerUndo({ message: `“${trimmed}” saved`, place, undo: null });
    onClose();
  }

  return (
    <FormDialog
      title={`Save ${what}`}
      size="small"
      saveLabel={existing === undefined ? 'Save' : 'Replace'}
      isChanged={name !== initial}
      disabledReason={trimmed === '' ? 'Enter a name.' : null}
      busy={busy}
      error={error}
      onSave={() => void save()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        onValueChange={setName}
        maxLength={MAX_NAME_LENGTH}
        help={
          existing === undefined
            ? undefined
            : `A ${what} with this name exists. It will be replaced.`
        }
      />
      {children}
    </FormDialog>
  );
}
