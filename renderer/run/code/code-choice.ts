import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { CodeLanguage } from './code-export.ts';

interface CodeChoice {
  language: CodeLanguage;
  /** Whether to call the official client of OpenAI or Anthropic if it can send the request. */
  prefersOfficial: boolean;
}

/** Keeps the choice for the next request, in the inspector and in panels. */
export const useCodeChoice = create<CodeChoice>()(
  persist((): CodeChoice => ({ language: 'curl', prefersOfficial: false }), {
    name: 'gatehouse:code',
  }),
);
