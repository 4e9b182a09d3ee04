/** Exports and imports conversations. */
import type { ExportFormat, ImportResult } from '../../../shared/contract/conversations.ts';
import { type ExportSources, exportConversations } from './export-conversations.ts';
import { type ImportTargets, importConversations } from './import-conversations.ts';

export interface ConversationFiles {
  /** Yields the file in chunks. */
  export(wanted: { ids: readonly string[]; format: ExportFormat }): AsyncGenerator<string>;
  /** Imports an uploaded file and always deletes the upload; imports nothing if it is aborted. */
  import(uploadId: string, signal?: AbortSignal): Promise<ImportResult>;
}

export function createConversationFiles(storage: ExportSources & ImportTargets): ConversationFiles {
  return {
    export: (wanted: { ids: readonly string[]; format: ExportFormat }): AsyncGenerator<string> =>
      exportConversations(storage, wanted),
    import: (uploadId: string, signal?: AbortSignal): Promise<ImportResult> =>
      importConversations(storage, uploadId, signal),
  };
}
