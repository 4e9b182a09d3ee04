/** What was typed and is not with main yet; at first, what the page before had left in the tab. */
import { isJsonObject, type JsonValue } from '../../shared/json.ts';
import { readTabStorage } from './tab-storage.ts';

export interface UnsavedTexts {
  /** In the tab. */
  key: string;
  /** What each is called where they are listed. */
  title: string;
  byId: Map<string, string>;
}

export const unsaved = {
  systemMessages: leftInTab('system-messages', 'Chat: System message'),
  referenceTexts: leftInTab('reference-texts', 'Transcription: Reference text'),
};

export function unsavedTexts(): { title: string; text: string }[] {
  return Object.values(unsaved).flatMap(({ title, byId }) =>
    Array.from(byId.values(), (text) => ({ title, text })),
  );
}

function leftInTab(name: string, title: string): UnsavedTexts {
  const key = `gatehouse:unsaved-${name}`;
  return { key, title, byId: new Map(readTabStorage(key).flatMap(readUnsaved)) };
}

function readUnsaved(kept: JsonValue): [id: string, text: string][] {
  if (!isJsonObject(kept)) return [];
  const { id, text } = kept;
  return typeof id === 'string' && typeof text === 'string' ? [[id, text]] : [];
}
