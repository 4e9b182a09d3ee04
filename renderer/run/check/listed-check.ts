/** Names listed checks, and opens them in their panel. */
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import type { CheckState, ListedCheck } from '../../../shared/checks/check.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import { getPanelLabel } from '../../lib/panels.ts';
import { navigate } from '../../lib/route.ts';
import type { StatusLabel } from '../../ui/status-mark.tsx';

export type CheckKind = ListedCheck['kind'];

export const checkKindLabels: Record<CheckKind, string> = { probe: 'Probe', load: 'Load' };

export const checkStateLabels: Record<CheckState, StatusLabel> = {
  running: { label: 'Running', tone: 'active' },
  held: { label: 'Paused', tone: 'warning' },
  stopped: { label: 'Stopped', tone: 'quiet' },
  done: { label: 'Done', tone: 'success' },
};

export function getOperationLabel(name: OperationName): string {
  return name === 'console' ? 'Model list' : getPanelLabel(name);
}

/** Returns text such as `Chat, Rerank`; checks of the same models may differ only in that. */
export function describeOperations({ operations }: Pick<ListedCheck, 'operations'>): string {
  return operations.map(getOperationLabel).join(', ');
}

interface ShownCheck {
  /** The open tab of Check. */
  kind: CheckKind;
  shown: Readonly<Record<CheckKind, string | null>>;
}

/** Survives a reload but not the tab. */
export const useShownCheck = create<ShownCheck>()(
  persist((): ShownCheck => ({ kind: 'probe', shown: { probe: null, load: null } }), {
    name: 'gatehouse:shown-check',
    version: 1,
    storage: createJSONStorage(() => sessionStorage),
  }),
);

export function showCheck(kind: CheckKind, id: string | null): void {
  useShownCheck.setState(({ shown }) => ({ kind, shown: { ...shown, [kind]: id } }));
}

export function openCheck({ kind, id }: Pick<ListedCheck, 'kind' | 'id'>): void {
  showCheck(kind, id);
  navigate('check');
}
