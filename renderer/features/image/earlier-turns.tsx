import { ImageChip } from '../../media/players/media-chip.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { CloseIcon } from '../../ui/icons/actions.tsx';
import styles from './image.module.css';
import type { Turn, TurnPart } from './turns.ts';

interface EarlierTurnsProps {
  turns: readonly Turn[];
  onRemove: (index: number) => void;
  onClear: () => void;
}

export function EarlierTurns({ turns, onRemove, onClear }: EarlierTurnsProps) {
  if (turns.length === 0) return null;
  return (
    <section className={styles.turns} aria-label="Conversation so far">
      <div className={classNames(styles.turnsHead, 'row-8')}>
        <h2 className={styles.heading}>Conversation so far</h2>
        <span className={classNames(styles.quiet, 'hint grow')}>sent with your prompt</span>
        <Button size="small" variant="quiet" onClick={onClear}>
          Start over
        </Button>
      </div>
      <ol className={styles.turnList}>
        {turns.map((turn, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: turns are identified by position.
          <li key={index} className={styles.turn}>
            <span className={classNames(styles.role, 'label')}>{turn.role}</span>
            <div className={styles.turnParts}>
              {turn.parts.map((part, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: parts are identified by position.
                <EarlierPart key={at} part={part} />
              ))}
              {turn.parts.some(isSigned) && (
                <p className="hint">Sent with the model’s thoughts and signatures</p>
              )}
            </div>
            <IconButton
              size="small"
              label={`Remove turn ${index + 1}`}
              icon={<CloseIcon size={12} />}
              onClick={() => onRemove(index)}
            />
          </li>
        ))}
      </ol>
    </section>
  );
}

function isSigned({ raw }: TurnPart): boolean {
  return ['thought', 'thoughtSignature', 'thought_signature'].some((name) => raw?.[name]);
}

function EarlierPart({ part }: { part: TurnPart }) {
  if (part.type === 'other' || part.raw?.thought === true) return null;
  if (part.type === 'image') return <ImageChip mediaId={part.mediaId} />;
  return (
    <p className={classNames(styles.turnText, 'verbatim reading')} dir="auto">
      {part.text}
    </p>
  );
}
