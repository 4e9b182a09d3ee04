/** Exports and imports conversations. */
import type { ExportFormat, ImportResult } from '../../../shared/contract/conversations.ts';
import { type ExportSources, exportConversations } from './export-conversations.ts';
import { type ImportTargets, importConversations } from './import-conversations.ts';

export function createConversationFiles(storage: ExportSources & ImportTargets) {
  return {
    export: (wanted: { ids: readonly string[]; format: ExportFormat }): AsyncGenerator<string> =>
      exportConversations(storage, wanted),
    import: (uploadId: string, signal?: AbortSignal): Promise<ImportResult> =>
      importConversations(storage, uploadId, signal),
  };
}
