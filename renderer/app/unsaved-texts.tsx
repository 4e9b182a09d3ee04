/** Lists the page's unsaved texts, so that the user can copy them to a new page. */
import type { UnsavedEdit } from '../../shared/operations/chat/request.ts';
import { describeOperation } from '../../shared/operations/form/describe.ts';
import type { OperationName } from '../../shared/operations/operation-name.ts';
import { paramSchema } from '../../shared/param.ts';
import {
  chatLabels,
  describeDraft,
  RESULT_LABEL,
} from '../features/chat/conversation/chat-labels.ts';
import { completionLabels } from '../features/completion/completion-labels.ts';
import { consoleLabels } from '../features/console/console-labels.ts';
import { embeddingsLabels } from '../features/embeddings/embeddings-labels.ts';
import { imageLabels } from '../features/image/image-labels.ts';
import { rerankLabels } from '../features/rerank/rerank-labels.ts';
import { speechLabels } from '../features/speech/speech-labels.ts';
import {
  REFERENCE_LABEL,
  transcriptionLabels,
} from '../features/transcription/transcription-labels.ts';
import { videoLabels } from '../features/video/video-labels.ts';
import { getPanelLabel, operationNames } from '../lib/panels.ts';
import { listUnsaved, type UnsavedFields } from '../lib/save-queue.ts';
import type { TextLabels } from '../run/form/text-labels.ts';
import { classNames } from '../ui/class-names.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import styles from './session-ended.module.css';

export interface UnsavedText {
  /** A title such as "Completion: Prompt". */
  title: string;
  text: string;
}

interface UnsavedTextsProps {
  texts: readonly UnsavedText[];
  /** Shows a single line per text, because the panel below shows all of it. */
  compact?: boolean;
}

export function UnsavedTexts({ texts, compact = false }: UnsavedTextsProps) {
  if (texts.length === 0) return null;
  return (
    <section
      className={classNames(styles.unsaved, compact && styles.compact)}
      aria-label="Unsaved text"
    >
      {!compact && <h2 className={styles.heading}>Unsaved text in this tab</h2>}
      <ul className={styles.list}>
        {texts.map(({ title, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two texts may have the same title.
          <li key={index}>
            <div className={styles.head}>
              <span>{title}</span>
              <CopyButton label={`Copy ${title}`} words="Copy" content={() => text} />
            </div>
            <pre className={styles.text}>{text}</pre>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function listUnsavedTexts(): UnsavedText[] {
  return listUnsaved()
    .flatMap(getTexts)
    .filter(({ text }) => text.trim() !== '');
}

function getTexts({ kind, id, fields }: UnsavedFields): UnsavedText[] {
  if (kind !== 'form') {
    const title =
      kind === 'system-message'
        ? `${getPanelLabel('chat')}: ${chatLabels.systemMessage}`
        : `${getPanelLabel('transcription')}: ${REFERENCE_LABEL}`;
    return [{ title, text: getText(fields.get('text')) }];
  }
  const operation = operationNames.find((name) => name === id) ?? 'chat';
  return [...fields].flatMap(([name, value]) => {
    const content = name.startsWith('params.') ? getParamContent(value) : value;
    const label = getLabel(id, operation, name);
    return label === null || content === undefined
      ? []
      : [{ title: `${getPanelLabel(operation)}: ${label}`, text: getText(content) }];
  });
}

/** Leaves out fields without text to copy, such as selections and attachments. */
const labels: { readonly [Name in OperationName]: TextLabels<Name> } = {
  chat: chatLabels,
  completion: completionLabels,
  image: imageLabels,
  video: videoLabels,
  rerank: rerankLabels,
  embeddings: embeddingsLabels,
  speech: speechLabels,
  transcription: transcriptionLabels,
  console: consoleLabels,
};

/** Returns the field's label in the panel; null if the user doesn't type in the field. */
function getLabel(formId: string, operation: OperationName, name: string): string | null {
  if (name === 'extraBody') return 'Extra JSON';
  const [, group = '', field = ''] = /^(\w+)\.(.*)$/s.exec(name) ?? [];
  switch (group) {
    case 'edits':
      return describeDraft(formId, field);
    case 'results':
      return RESULT_LABEL;
    case 'input':
      return new Map(Object.entries(labels[operation])).get(field) ?? null;
    case 'params':
      return getParameterTitle(operation, field);
    default:
      return null;
  }
}

/** Prefers the text as typed, because parsing may lose details. */
function getParamContent(param: unknown): unknown {
  const { value, text } = paramSchema.catch({}).parse(param);
  return text ?? value;
}

function getParameterTitle(operation: OperationName, name: string): string {
  const { fields } = describeOperation(operation);
  return fields.find((field) => field.name === name)?.title ?? name;
}

function getText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (isEdit(value)) return value.text;
  if (Array.isArray(value)) return value.map(getLine).filter(Boolean).join('\n');
  return value === null ? '' : JSON.stringify(value, null, 2);
}

/** Returns `style: noir` for a named value; empty if the item is unknown. */
function getLine(item: unknown): string {
  if (typeof item === 'string') return item;
  if (typeof item !== 'object' || item === null) return JSON.stringify(item);
  const { name, value }: { name?: unknown; value?: unknown } = item;
  if (typeof name !== 'string' || typeof value !== 'string') return JSON.stringify(item);
  return value === '' ? '' : `${name}: ${value}`;
}

function isEdit(value: unknown): value is UnsavedEdit {
  return (
    typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string'
  );
}
