import type { ExportFormat } from '../../../../shared/contract/conversations.ts';
import {
  MAX_CONVERSATION_FILE_BYTES,
  MAX_LISTED_CONVERSATIONS,
} from '../../../../shared/conversation.ts';
import { createOutputStem } from '../../../../shared/output-name.ts';
import { api } from '../../../lib/api.ts';
import { formatBytes, pluralize } from '../../../lib/format-quantity.ts';
import { PageError } from '../../../lib/page-failure.ts';
import { offerUndo } from '../../../lib/undo.ts';
import { saveBlob } from '../../../media/players/download-button.tsx';
import { createMediaError } from '../../../media/uploads/media-filter.ts';
import { uploadUnfinished } from '../../../media/uploads/upload-media.ts';
import { focusRow } from '../../../ui/roving-list.ts';
import { conversationsUndoKey } from '../conversation/chat-actions.ts';
import { selectConversation } from '../conversation/chat-store.ts';
import { runListWork } from './organize-conversations.ts';

const files: Readonly<Record<ExportFormat, { extension: string; type: string }>> = {
  json: { extension: 'json', type: 'application/json' },
  markdown: { extension: 'md', type: 'text/markdown' },
  jsonl: { extension: 'jsonl', type: 'application/jsonl' },
};

/** The title names the file; `all` includes archived conversations. */
export function downloadConversations(
  ids: readonly string[] | 'all',
  format: ExportFormat,
  title: string | null,
): Promise<boolean> {
  return runListWork(async () => {
    const pieces: string[] = [];
    const wanted = ids === 'all' ? await listAllIds() : [...ids];
    for await (const piece of await api.conversations.export({ ids: wanted, format })) {
      pieces.push(piece);
    }
    const { extension, type } = files[format];
    const stem = createOutputStem(title ?? 'gatehouse conversations', new Date(), 'conversation');
    saveBlob(new Blob(pieces, { type }), `${stem}.${extension}`);
  }, 'Exporting…');
}

async function listAllIds(): Promise<string[]> {
  const query = { search: '', limit: MAX_LISTED_CONVERSATIONS };
  const lists = await Promise.all([
    api.conversations.list(query),
    api.conversations.list({ ...query, archived: true }),
  ]);
  return lists.flat().map(({ id }) => id);
}

/** Imports files one at a time; if one fails or is stopped, the files before it stay imported. */
export function importFiles(chosen: readonly File[]): Promise<boolean> {
  const stop = new AbortController();
  const importAll = async () => {
    for (const file of chosen) await importFile(file, stop.signal);
  };
  return runListWork(importAll, 'Importing…', stop);
}

async function importFile(file: File, signal: AbortSignal): Promise<void> {
  if (file.size > MAX_CONVERSATION_FILE_BYTES) {
    const message = `“${file.name}” is ${formatBytes(file.size)}. The limit is 64 MiB.`;
    throw new PageError(createMediaError(message, 'Nothing was imported. Choose a smaller file.'));
  }
  if (file.size === 0) {
    const message = `“${file.name}” is empty.`;
    throw new PageError(createMediaError(message, 'Nothing was imported. Choose another file.'));
  }
  const uploadId = await uploadUnfinished(file, { signal });
  const { ids, notes } = await api.conversations.import({ uploadId }, { signal });
  const [first] = ids;
  if (ids.length === 1 && first !== undefined) {
    selectConversation(first);
    focusRow(conversationsUndoKey, first);
  }
  offerUndo({
    message: [`${pluralize(ids.length, 'conversation')} imported`, ...notes].join('. '),
    place: conversationsUndoKey,
    async undo() {
      for (const id of ids) await api.conversations.remove({ id });
    },
  });
}
