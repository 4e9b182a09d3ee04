import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { Media } from '../../../shared/media.ts';
import type { VideoState } from '../../../shared/operations/video/state.ts';
import { canFollowAgain, isFinished, type RunSummary } from '../../../shared/run.ts';
import { formatName } from '../../media/players/describe-media.ts';
import type { StatusLabel } from '../../ui/status-mark.tsx';

export interface DescribedTask extends StatusLabel {
  /** The action the user can take, or null if there is none. */
  next: 'stop' | 'resume' | 'follow' | null;
}

type TaskRun = Pick<RunSummary, 'status' | 'phase'> & Partial<Pick<RunSummary, 'figures'>>;

export function describeTask(run: TaskRun): DescribedTask {
  return isFinished(run.status) ? describeEnded(run) : describeLive(run.phase);
}

function describeLive({ name, task }: RunSummary['phase']): DescribedTask {
  if (name === 'working') return { label: 'Submitting', tone: 'active', next: null };
  if (name === 'unfollowed') return { label: 'Following stopped', tone: 'quiet', next: 'resume' };
  const next = 'stop';
  if (task === null) return { label: 'Downloading', tone: 'active', next };
  switch (task.status) {
    case 'queued':
      return { label: 'Queued', tone: 'active', next };
    case 'in_progress':
      return { label: 'In progress', tone: 'active', next };
    case 'completed':
      return { label: 'Downloading', tone: 'active', next };
    case 'failed':
      return { label: 'Failed', tone: 'danger', next };
    // Show the gateway's status word as is.
    case 'unknown':
      return { label: task.word ?? 'No status yet', tone: 'warning', next };
    case null:
      return { label: 'Checking', tone: 'active', next };
  }
}

function describeEnded({ status, phase, figures }: TaskRun): DescribedTask {
  const { task } = phase;
  const next = canFollowAgain({ status, phase }) ? 'follow' : null;
  if (figures?.noResult != null) return { label: 'No result', tone: 'warning', next };
  if (status === 'succeeded') return { label: 'Succeeded', tone: 'success', next };
  if (status === 'unknown') return { label: 'Outcome unknown', tone: 'warning', next };
  if (status === 'cancelled') return { label: 'Stopped', tone: 'quiet', next };
  if (status === 'interrupted') return { label: 'Interrupted', tone: 'warning', next };
  if (phase.name === 'downloading' || task?.status === 'completed') {
    return { label: 'Download failed', tone: 'danger', next };
  }
  if (task?.status === 'failed') return { label: 'Failed', tone: 'danger', next };
  // Only the status check failed, so the task may still succeed.
  return task === null
    ? { label: 'Failed', tone: 'danger', next }
    : { label: 'Check failed', tone: 'warning', next };
}

/** Returns true until the gateway responds to the submission; Run stays disabled until then. */
export function isSubmitting({ status, phase }: TaskRun): boolean {
  return !isFinished(status) && phase.name === 'working';
}

/** A property of the video as requested, as reported by the gateway and as measured. */
export interface ComparedFact {
  name: string;
  requested: string | null;
  reported: string | null;
  measured: string | null;
  differs: boolean;
}

/** Omits properties that have no values. */
export function compareFacts(
  request: JsonObject,
  { format, metadata }: Pick<VideoState, 'format' | 'metadata'>,
  media: Media | null,
): ComparedFact[] {
  const reported = metadata ?? {};
  const rows: ComparedFact[] = [
    createFact('Format', null, format, media && formatName(media.type), false),
    number('Duration', request.duration, reported.duration, media?.durationSeconds, ' s', 0.5),
    number('Width', request.width, reported.width, media?.width, '', 0),
    number('Height', request.height, reported.height, media?.height, '', 0),
    number('Frame rate', request.fps, reported.fps, media?.frameRate, ' fps', 0.1),
    createFact('Seed', formatValue(request.seed), formatValue(reported.seed), null, false),
  ];
  return rows.filter(
    (row) => row.requested !== null || row.reported !== null || row.measured !== null,
  );
}

const compared = new Set(['duration', 'width', 'height', 'fps', 'seed']);

export function listOtherMetadata(metadata: JsonObject | null): [string, string][] {
  return Object.entries(metadata ?? {}).flatMap(([name, value]) => {
    const text = formatValue(value);
    return compared.has(name) || text === null ? [] : [[name, text]];
  });
}

function number(
  name: string,
  requested: JsonValue | undefined,
  reported: JsonValue | undefined,
  measured: number | null | undefined,
  unit: string,
  tolerance: number,
): ComparedFact {
  const rounded = measured == null ? null : Number(measured.toFixed(2));
  const differs =
    typeof requested === 'number' && rounded !== null && Math.abs(requested - rounded) > tolerance;
  const withUnit = (value: JsonValue | undefined) => {
    const text = formatValue(value);
    return text === null ? null : `${text}${unit}`;
  };
  return createFact(name, withUnit(requested), withUnit(reported), withUnit(rounded), differs);
}

function createFact(
  name: string,
  requested: string | null,
  reported: string | null,
  measured: string | null,
  differs: boolean,
): ComparedFact {
  return { name, requested, reported, measured, differs };
}

function formatValue(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'string') return value;
  return isJsonObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value);
}
