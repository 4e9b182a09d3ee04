import type { ReactNode } from 'react';
import type { Cell } from '../../../shared/comparison.ts';
import { StatusMark } from '../../ui/status-mark.tsx';
import type { Tab } from '../../ui/tabs.tsx';
import { columnStatus } from './cell-status.ts';
import type { CompareColumn } from './compare-panel.ts';

/** A column where columns have no room: its tab says what its requests still do or did not bring. */
export function columnTab(
  column: CompareColumn,
  cells: readonly Cell[],
  content: ReactNode,
): Tab<string> {
  const status = columnStatus(cells);
  return {
    value: column.variant.id,
    label: column.title,
    ...(status !== null && { badge: <StatusMark {...status} /> }),
    content,
  };
}
