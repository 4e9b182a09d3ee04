/** Defines what the thread for long documents does with one, in this order. */
import type { RunView } from '../../shared/run-view.ts';
import type { DocumentFindings, InspectedDocument } from '../gateway/long-document.ts';
import type { HarvestName } from './harvest-media.ts';
import type { Batch, ReadVectors } from './read-vectors.ts';

/** How a document is converted before it is recorded. */
export type Conversion =
  | { kind: 'harvest'; name: HarvestName }
  | { kind: 'vectors'; batch: Batch; firstRow: number; dimensions: number };

/** A file in the document. The converted text has `placeholder` in place of its media ID. */
export interface FoundFile {
  placeholder: string;
  bytes: Uint8Array;
  type: string | null;
  stem: string;
}

export interface Converted {
  files: FoundFile[];
  /** Null if there are none, or the conversion doesn't ask for them. */
  vectors: (Omit<ReadVectors, 'recorded'> & { placeholder: string }) | null;
  /** True if the document has the URL of the requested file. */
  refers: boolean;
  /** True if a file is in several pieces, which only the main thread joins. */
  isInPieces: boolean;
}

/** Replaces a placeholder in the converted text. */
export type Replacement = [placeholder: string, text: string];

export interface Settling {
  /** Null to keep the text that was received. */
  replacements: Replacement[] | null;
  maxLength: number;
  truncated: boolean;
  exchange: number;
  /** The view that the text is folded into. */
  view: RunView;
}

export interface Settled {
  /** The length of the text to record. */
  length: number;
  /** True if the text was longer than `maxLength`. */
  isShortened: boolean;
  /** The text as UTF-8, compressed with raw deflate; null if it is short. */
  compressed: Uint8Array | null;
  /** Null if the view has numbers that can't be sent between threads. */
  folded: Pick<RunView, 'state' | 'phase'> | null;
}

export interface DocumentSteps {
  open: { given: { contentType: string | null; secrets: readonly string[] }; done: undefined };
  write: { given: Uint8Array; done: undefined };
  /** Returns the length of the text. */
  read: { given: { maxLength: number }; done: number };
  convert: { given: Conversion; done: Converted };
  settle: { given: Settling; done: Settled };
  /** Returns the next piece of the text to record, or of the received text before `settle`. */
  piece: { given: { from: number }; done: string };
  inspect: { given: Omit<InspectedDocument, 'text'>; done: DocumentFindings };
  close: { given: undefined; done: undefined };
}

export type StepName = keyof DocumentSteps;

export type StepRequest = {
  [Name in StepName]: {
    call: number;
    document: number;
    step: Name;
    given: DocumentSteps[Name]['given'];
  };
}[StepName];

export interface StepResponse {
  call: number;
  result: { done: unknown } | { failed: string };
}
