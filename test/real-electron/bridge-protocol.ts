/** The messages between an old Electron and the process that runs the services for it. */

import type { DownloadOutcome } from '../../electron/backup/backups.ts';
import type { Services } from '../../electron/services.ts';
import type { NoticeSlot } from '../../electron/system.ts';
import type { Change, Notice } from '../../shared/contract/system.ts';
import type { RunSummary } from '../../shared/run.ts';
import type { Settings } from '../../shared/settings.ts';

/** The state that the desktop reads without waiting; the services send it after each change. */
export interface MirroredState {
  activeRuns: ReturnType<Services['engine']['active']>;
  waitingCount: number;
  recordingCount: number;
  unfinishedCount: number;
  settings: Settings;
}

export type FromServices =
  | { kind: 'ready'; address: string; state: MirroredState }
  | { kind: 'changed'; topic: Change['topic']; state: MirroredState }
  | { kind: 'run'; run: RunSummary; state: MirroredState }
  | { kind: 'log'; line: string }
  | { kind: 'open'; url: string }
  | { kind: 'port message'; port: number; text: string }
  | { kind: 'port closed'; port: number };

export type ToServices =
  | { kind: 'say'; slot: NoticeSlot; notice: Notice | null }
  | { kind: 'open link'; url: string }
  | { kind: 'leave downloads' }
  | { kind: 'settle download'; id: string; outcome: DownloadOutcome }
  | { kind: 'leave recordings' }
  | { kind: 'flush' }
  | { kind: 'wake' }
  | { kind: 'close' }
  | { kind: 'port opened'; port: number }
  | { kind: 'port message'; port: number; text: string }
  | { kind: 'port closed'; port: number };
