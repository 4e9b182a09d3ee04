import type { LibraryItem } from '../../../shared/media.ts';
import { panelLabel } from '../../lib/panels.ts';

/** Where a medium came from, in a word: the panel of its run, or how the user brought it. */
export function originLabel({ role, run }: Pick<LibraryItem, 'role' | 'run'>): string {
  if (run !== null) return panelLabel(run.operation);
  switch (role) {
    case 'upload':
      return 'Upload';
    case 'recording':
      return 'Recording';
    case 'output':
      return 'Deleted run';
  }
}
