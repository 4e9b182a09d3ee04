import type { ReactNode } from 'react';
import type { ModelFacts } from '../../../../shared/model-facts.ts';
import { classNames } from '../../../ui/class-names.ts';
import { SpeechIcon } from '../../../ui/icons/panels.tsx';
import { StarIcon, StarredIcon, ToolIcon, VisionIcon } from '../../../ui/icons/status.tsx';
import { describeFacts, describeRates, formatTokenLimit } from './describe-facts.ts';
import type { ModelChoice } from './model-catalog.ts';
import styles from './model-picker.module.css';

interface ModelRowProps {
  choice: ModelChoice;
  /** Shown unless the row is below the heading of its connection. */
  connectionName: string | null;
  onToggleStar: () => void;
}

export function ModelRow({ choice, connectionName, onToggleStar }: ModelRowProps) {
  const { model, isFavorite } = choice;
  const { facts, price } = model;
  const about = model.description ?? model.ownedBy;
  return (
    <span className={styles.row} title={[model.id, ...describeFacts(facts, price)].join('\n')}>
      <span className={styles.name}>
        <span className={styles.id}>{model.id}</span>
        {connectionName !== null && <span className={styles.about}> {connectionName}</span>}
        {about !== null && <span className={styles.about}> {about}</span>}
        {isFavorite && <span className="visually-hidden"> favorite</span>}
      </span>
      <span className={styles.context}>
        {facts?.contextTokens != null && formatTokenLimit(facts.contextTokens)}
      </span>
      <span className={styles.price}>{price !== null && describeRates(price.rates)}</span>
      <Abilities facts={facts} />
      {/* Keyboards use Shift+Enter, because an option can't contain a control. */}
      <span
        aria-hidden="true"
        className={classNames(styles.star, isFavorite && styles.starred)}
        onMouseUp={(event) => {
          event.stopPropagation();
          onToggleStar();
        }}
      >
        {isFavorite ? <StarredIcon size={14} /> : <StarIcon size={14} />}
      </span>
    </span>
  );
}

/** Uses fixed slots, so that the same icons align across rows. */
function Abilities({ facts }: { facts: ModelFacts | null }) {
  const hasAudio = facts?.inputs?.includes('audio') || facts?.outputs?.includes('audio');
  return (
    <span className={styles.abilities}>
      <Ability
        label="vision"
        has={facts?.inputs?.includes('image')}
        icon={<VisionIcon size={14} />}
      />
      <Ability label="tools" has={facts?.tools === true} icon={<ToolIcon size={14} />} />
      <Ability label="audio" has={hasAudio} icon={<SpeechIcon size={14} />} />
    </span>
  );
}

interface AbilityProps {
  label: string;
  has: boolean | undefined;
  icon: ReactNode;
}

function Ability({ label, has = false, icon }: AbilityProps) {
  return (
    <span className={styles.ability}>
      {has && (
        <>
          {icon}
          <span className="visually-hidden">{label}</span>
        </>
      )}
    </span>
  );
}
