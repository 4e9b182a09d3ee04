/** Edits of messages, tools and schemas that were not saved yet, kept over closing and reloading. */
import { useState } from 'react';
import { create } from 'zustand';
import type { ContentPart } from '../../../shared/operations/chat/message.ts';

export interface EditDraft {
  text: string;
  /** Of a message. */
  parts?: ContentPart[];
}

type Drafts = Readonly<Record<string, EditDraft>>;

/** Each draft has an entry of its own: another window writes its drafts, not over these. */
const storagePrefix = 'gatehouse:edit-draft ';
const writeAfterMs = 400;

const useDrafts = create<{ drafts: Drafts }>(() => ({ drafts: readKept() }));
/** What storage does not have yet. */
const unwritten = new Set<string>();
let timer: ReturnType<typeof setTimeout> | null = null;

// Another window has kept or dropped one; what is being typed here is newer. Outside a page there are no windows.
globalThis.addEventListener?.('storage', ({ key, newValue }) => {
  const name = draftName(key);
  if (name === null || unwritten.has(name)) return;
  const draft = readDraft(newValue);
  useDrafts.setState(({ drafts: { [name]: _, ...others } }) => ({
    drafts: draft === null ? others : { ...others, [name]: draft },
  }));
});

export const draftKeys = {
  message: (id: string) => `message ${id}`,
  /** Null: the one that is not saved yet. */
  tool: (id: string | null) => `tool ${id ?? 'new'}`,
  schema: (conversationId: string | null) => `schema ${conversationId ?? 'new'}`,
};

export function draftOf(key: string): EditDraft | null {
  return useDrafts.getState().drafts[key] ?? null;
}

/** All of them, each with what it is a draft of. */
export function editDrafts(): { title: string; text: string }[] {
  return Object.entries(useDrafts.getState().drafts).map(([key, { text }]) => ({
    title: draftTitle(key),
    text,
  }));
}

function draftTitle(key: string): string {
  if (key.startsWith('message ')) return 'Edited message';
  if (key.startsWith('schema ')) return 'JSON schema';
  return key === draftKeys.tool(null) ? 'New tool' : 'Edited tool';
}

export function useHasDraft(key: string): boolean {
  return useDrafts(({ drafts }) => drafts[key] !== undefined);
}

export function keepDraft(key: string, draft: EditDraft): void {
  useDrafts.setState(({ drafts }) => ({ drafts: { ...drafts, [key]: draft } }));
  writeSoon(key);
}

/** It was saved, or is not wanted any more. */
export function dropDraft(key: string): void {
  if (draftOf(key) === null) return;
  useDrafts.setState(({ drafts: { [key]: _, ...others } }) => ({ drafts: others }));
  writeSoon(key);
}

interface TextDraft {
  text: string;
  /** Begins with what was typed before the editor was closed. */
  restored: boolean;
  /** Changes where the text is another all at once: for editors that keep their own text. */
  version: number;
  change: (text: string) => void;
  discard: () => void;
}

/** A text that is edited in a dialog, and kept under `key` as long as it differs from `original`. */
export function useTextDraft(key: string, original: string): TextDraft {
  const [first] = useState(() => draftOf(key)?.text ?? null);
  const [text, setText] = useState(first ?? original);
  const [restored, setRestored] = useState(first !== null);
  const [version, setVersion] = useState(0);
  return {
    text,
    restored,
    version,
    change(next) {
      setText(next);
      if (next === original) dropDraft(key);
      else keepDraft(key, { text: next });
    },
    discard() {
      dropDraft(key);
      setText(original);
      setRestored(false);
      setVersion(version + 1);
    },
  };
}

function writeSoon(key: string): void {
  unwritten.add(key);
  timer ??= setTimeout(write, writeAfterMs);
  // Adding the same listener again changes nothing.
  addEventListener('pagehide', writeNow);
}

function writeNow(): void {
  if (timer !== null) write();
}

function write(): void {
  timer = null;
  try {
    for (const key of unwritten) {
      const draft = draftOf(key);
      if (draft === null) localStorage.removeItem(storagePrefix + key);
      else localStorage.setItem(storagePrefix + key, JSON.stringify(draft));
    }
  } catch {
    // Full or blocked: the drafts last as long as the page.
  }
  unwritten.clear();
}

function readKept(): Drafts {
  const drafts: Record<string, EditDraft> = {};
  try {
    for (const key of Object.keys(localStorage)) {
      const name = draftName(key);
      const draft = name === null ? null : readDraft(localStorage.getItem(key));
      if (name !== null && draft !== null) drafts[name] = draft;
    }
  } catch {
    // Storage is blocked for this site: nothing was kept.
  }
  return drafts;
}

function draftName(storageKey: string | null): string | null {
  return storageKey?.startsWith(storagePrefix) === true
    ? storageKey.slice(storagePrefix.length)
    : null;
}

/** Null where it is none. */
function readDraft(kept: string | null): EditDraft | null {
  try {
    const draft: EditDraft | null = JSON.parse(kept ?? 'null');
    return typeof draft?.text === 'string' ? draft : null;
  } catch {
    return null;
  }
}
