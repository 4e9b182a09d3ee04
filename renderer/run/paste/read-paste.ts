import type { PastedResult, PastedText } from '../../../shared/pasted/read-pasted.ts';
import { mayBeRequest } from '../../../shared/pasted/recognize-request.ts';
import { importPart } from '../../lib/import-part.ts';
import { getPanelLabel } from '../../lib/panels.ts';

/** Returns the clipboard's text if it may be a request, so that the event can be prevented. */
export function takeRequestText(data: DataTransfer): string | null {
  const text = data.getData('text/plain');
  return mayBeRequest(text) ? text : null;
}

/** Loads the request parser on first use. Resolves to null if the text isn't a request. */
export async function readPaste(text: string): Promise<PastedResult | null> {
  const { readPasted } = await importPart(() => import('../../../shared/pasted/read-pasted.ts'));
  return readPasted(text);
}

/** Fills the panel that the request is for, and shows it. Rejects with a `PageError`. */
export async function openPaste(pasted: PastedText): Promise<void> {
  const { openPasted } = await importPart(() => import('./open-pasted.ts'));
  await openPasted(pasted);
}

/** Returns a panel name such as `Chat`. */
export function getPastedPanel({ target }: PastedText): string {
  return getPanelLabel(target?.operation ?? 'console');
}
