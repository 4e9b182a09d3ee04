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

const storageKey = 'gatehouse:edit-drafts';
const writeAfterMs = 400;

const useDrafts = create<{ drafts: Drafts }>(() => ({ drafts: readKept() }));
let timer: ReturnType<typeof setTimeout> | null = null;

export const draftKeys = {
  message: (id: string) => `message ${id}`,
  /** Null: the one that is not saved yet. */
  tool: (id: string | null) => `tool ${id ?? 'new'}`,
  schema: (conversationId: string | null) => `schema ${conversationId ?? 'new'}`,
};

export function draftOf(key: string): EditDraft | null {
  return useDrafts.getState().drafts[key] ?? null;
}

export function useHasDraft(key: string): boolean {
  return useDrafts(({ drafts }) => drafts[key] !== undefined);
}

export function keepDraft(key: string, draft: EditDraft): void {
  useDrafts.setState(({ drafts }) => ({ drafts: { ...drafts, [key]: draft } }));
  writeSoon();
}

/** It was saved, or is not wanted any more. */
export function dropDraft(key: string): void {
  if (draftOf(key) === null) return;
  useDrafts.setState(({ drafts: { [key]: _, ...others } }) => ({ drafts: others }));
  writeSoon();
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

function writeSoon(): void {
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
    localStorage.setItem(storageKey, JSON.stringify(useDrafts.getState().drafts));
  } catch {
    // Full or blocked: the drafts last as long as the page.
  }
}

function readKept(): Drafts {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '{}');
    return typeof kept === 'object' && kept !== null ? { ...kept } : {};
  } catch {
    return {};
  }
}
