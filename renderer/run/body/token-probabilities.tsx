import { type KeyboardEvent, memo, useId, useMemo, useState } from 'react';
import {
  type LogprobPieces,
  readTokens,
  type TokenChance,
  type TokenProbability,
} from '../../../shared/operations/response/token-probabilities.ts';
import { formatCount } from '../../lib/format-quantity.ts';
import styles from './token-probabilities.module.css';

interface TokenProbabilitiesProps {
  logprobs: LogprobPieces | undefined;
  /** The index of the choice, if there are several. */
  choice: number | null;
}

/** Shows tokens on demand; renders nothing if the response has no log probabilities. */
export function TokenProbabilities({ logprobs, choice }: TokenProbabilitiesProps) {
  const [isOpen, setIsOpen] = useState(false);
  const tokens = useMemo(() => readTokens(logprobs), [logprobs]);
  if (tokens.length === 0) return null;
  const label = choice === null ? 'Token probabilities' : `Token probabilities ${choice + 1}`;
  return (
    <div className={styles.box}>
      <button
        type="button"
        className={styles.toggle}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {label}
      </button>
      {isOpen && <Tokens label={label} tokens={tokens} />}
    </div>
  );
}

/** Rendering more tokens takes too long. */
const MAX_TOKENS = 3000;

// Hand-written because Base UI has no list box for inline text.
function Tokens({ label, tokens }: { label: string; tokens: readonly TokenProbability[] }) {
  const [reached, setReached] = useState<number | null>(null);
  const [hovered, setHovered] = useState<number | null>(null);
  const listId = useId();
  const shown = tokens.slice(0, MAX_TOKENS);
  const getId = (index: number) => `${listId}-${index}`;
  const described = tokens[hovered ?? reached ?? -1];

  function onKeyDown(event: KeyboardEvent) {
    const target = getTarget(event.key, reached ?? -1, shown.length);
    if (target === null || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    setReached(target);
    setHovered(null);
    document.getElementById(getId(target))?.scrollIntoView({ block: 'nearest' });
  }

  return (
    <>
      <Legend />
      <div
        role="listbox"
        aria-label={label}
        tabIndex={0}
        className={styles.tokens}
        aria-activedescendant={reached === null ? undefined : getId(reached)}
        onKeyDown={onKeyDown}
        onFocus={() => setReached((index) => index ?? 0)}
        onPointerOver={({ target }) => setHovered(getIndex(target))}
        onPointerLeave={() => setHovered(null)}
        onClick={({ target }) => setReached((index) => getIndex(target) ?? index)}
      >
        {shown.map((token, index) => (
          <Token
            // biome-ignore lint/suspicious/noArrayIndexKey: tokens keep their order.
            key={index}
            id={getId(index)}
            index={index}
            token={token}
            isReached={index === reached}
          />
        ))}
      </div>
      {tokens.length > MAX_TOKENS && (
        <p className={styles.note}>
          The first {formatCount(MAX_TOKENS)} of {formatCount(tokens.length)} tokens are shown.
        </p>
      )}
      <Alternatives token={described} />
    </>
  );
}

function getTarget(key: string, from: number, count: number): number | null {
  const targets: Readonly<Record<string, number>> = {
    ArrowRight: from + 1,
    ArrowDown: from + 1,
    ArrowLeft: from - 1,
    ArrowUp: from - 1,
    Home: 0,
    End: count - 1,
  };
  const target = targets[key];
  return target === undefined ? null : Math.max(0, Math.min(target, count - 1));
}

function getIndex(target: EventTarget): number | null {
  const index = target instanceof HTMLElement ? target.dataset.index : undefined;
  return index === undefined ? null : Number(index);
}

interface TokenProps {
  id: string;
  index: number;
  token: TokenProbability;
  isReached: boolean;
}

const Token = memo(function Token({ id, index, token, isReached }: TokenProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list box keeps the focus.
    <span
      id={id}
      role="option"
      aria-selected={isReached}
      aria-label={describeToken(token)}
      className={styles.token}
      data-index={index}
      data-doubt={getDoubt(token.probability)}
    >
      {showLineEnds(token.text)}
    </span>
  );
});

function describeToken({ alternatives, ...token }: TokenProbability): string {
  const others = alternatives.filter(({ text }) => text !== token.text);
  if (others.length === 0) return describeChance(token);
  return `${describeChance(token)}; alternatives: ${others.map(describeChance).join(', ')}`;
}

function describeChance({ text, probability }: TokenChance): string {
  return `“${text.replaceAll('\n', '↵')}” ${formatProbability(probability)}`;
}

/** Steps are easier to tell apart than a continuous scale, and allow a legend. */
const STEPS = [0.9, 0.6, 0.3, 0.1];

/** Returns a step from 0 (likely) to 4 (unlikely). */
function getDoubt(probability: number | null): number {
  if (probability === null) return 0;
  const step = STEPS.findIndex((least) => probability >= least);
  return step === -1 ? STEPS.length : step;
}

function formatProbability(probability: number | null): string {
  if (probability === null) return 'unknown';
  const percent = probability * 100;
  if (percent > 0 && percent < 0.1) return '<0.1%';
  return `${percent.toFixed(percent < 99.95 ? 1 : 0)}%`;
}

function Legend() {
  return (
    <p className={styles.legend}>
      {['90% or more', '60%', '30%', '10%', 'less'].map((text, doubt) => (
        <span key={text} className={styles.token} data-doubt={doubt}>
          {text}
        </span>
      ))}
    </p>
  );
}

/** Has a fixed height, so that tokens don't move under the pointer. */
function Alternatives({ token }: { token: TokenProbability | undefined }) {
  const chances =
    token === undefined || token.alternatives.some(({ text }) => text === token.text)
      ? (token?.alternatives ?? [])
      : [token, ...token.alternatives];
  return (
    <div className={styles.alternatives} aria-hidden="true">
      {token === undefined ? (
        <p className={styles.note}>Point to a token, or use the arrow keys, to see alternatives.</p>
      ) : (
        <table>
          <tbody>
            {chances.slice(0, 20).map(({ text, probability }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: alternatives keep their order.
              <tr key={index} data-chosen={text === token.text}>
                <td>
                  <code>{showSpaces(text)}</code>
                </td>
                <td>{formatProbability(probability)}</td>
                <td>
                  <span style={{ inlineSize: `${(probability ?? 0) * 100}%` }} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

/** Marks line breaks, because a line break alone would be invisible. */
function showLineEnds(text: string): string {
  return text.replaceAll('\n', '↵\n');
}

function showSpaces(text: string): string {
  return text.replaceAll(' ', '␣').replaceAll('\n', '↵').replaceAll('\t', '⇥');
}
