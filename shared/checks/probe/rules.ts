/** Rules that several rows of a probe share; each is a pure function over responses. */
import { estimateTokens } from '../../estimate-tokens.ts';
import { isSameJson } from '../../json.ts';
import { viewAnswer } from '../../operations/chat/answer-view.ts';
import { getTokenCounts } from '../../operations/response/usage.ts';
import { isRunOf, type RunView } from '../../run-view.ts';
import { listFindings } from '../asked.ts';
import type { AskedName, Finding } from '../finding.ts';
import {
  type Answers,
  agree,
  cannotTell,
  contradict,
  type Judgment,
  PLAIN,
  type ProbeAnswer,
  type ProbeRow,
} from './judge-row.ts';

export type Rule = Pick<ProbeRow, 'judge' | 'counterexample'>;

/** Returns the answer, or an empty one, on which no rule can decide. */
export function getAnswer(answers: Answers, name: string): ProbeAnswer {
  return answers[name] ?? { request: {}, runId: null, view: null };
}

export function getView(answers: Answers, name: string): RunView | null {
  return getAnswer(answers, name).view;
}

/** Returns the text of the first choice; empty if it has none. */
export function getText(answers: Answers, name: string): string {
  const view = getView(answers, name);
  if (view === null || !isRunOf(view, 'chat')) return '';
  const [choice] = view.state.choices;
  return choice === undefined ? '' : viewAnswer(choice).content;
}

/** Where the evidence of an answer's text stands. */
export const TEXT = 'choices[0].message.content';

function findFinding(
  name: AskedName,
  view: RunView | null,
  { request }: ProbeAnswer,
): Finding | null {
  if (view === null) return null;
  const found = listFindings({ view, request, sentSeconds: null }).find(
    (each) => each.name === name,
  );
  return found === undefined ? null : { ...found, note: found.note.replace(/\.?$/, '.') };
}

/** Where a finding's evidence stands in the response. */
const PLACES: Record<AskedName, string> = {
  model: 'model',
  choices: 'choices',
  stop: TEXT,
  'max-tokens': 'usage.completion_tokens',
  schema: TEXT,
  arguments: 'choices[0].message.tool_calls',
  usage: 'usage',
  pixels: 'image',
  'audio-format': 'audio',
  'audio-rate': 'audio',
  'video-size': 'video',
  duration: 'video',
  order: 'results',
  'top-n': 'results',
  timestamps: 'segments',
  dimensions: 'data[0].embedding',
};

/**
 * Judges by a finding of a finished run (asked.ts). The field is ignored if the response contradicts
 * it. It is honored if the response agrees and the one without the field doesn't. If both agree, the
 * gateway may have sent its default.
 */
export function followAsked(finding: AskedName, counterexample: string, asked = 'asked'): Rule {
  return {
    counterexample,
    judge(answers) {
      const answer = getAnswer(answers, asked);
      const found = findFinding(finding, answer.view, answer);
      if (found === null) return cannotTell('The response doesn’t show it.', asked);
      if (!found.holds) return contradict(found.note, asked, PLACES[finding]);
      const plain = findFinding(finding, getView(answers, PLAIN), answer);
      if (plain?.holds) return explainByDefault(found.note, asked, PLACES[finding]);
      return agree(found.note, asked, PLACES[finding]);
    },
  };
}

function explainByDefault(note: string, request: string, field: string): Judgment {
  return cannotTell(`${note} It’s the same without the field.`, request, field);
}

/** Judges by a finding alone, for what every response should have. */
export function holdAlways(finding: AskedName, counterexample: string, asked = PLAIN): Rule {
  return {
    counterexample,
    judge(answers) {
      const answer = getAnswer(answers, asked);
      const found = findFinding(finding, answer.view, answer);
      if (found === null) return cannotTell('The response doesn’t show it.', asked);
      return (found.holds ? agree : contradict)(found.note, asked, PLACES[finding]);
    },
  };
}

/**
 * Compares a value of the response with the one asked for. `read` returns null if the response
 * doesn't show it. A value that also comes without the field is its default.
 */
export function followValue(options: {
  wanted: string;
  read: (view: RunView) => string | null;
  field: string;
  /** The request without the field. */
  control?: string;
  counterexample: string;
}): Rule {
  const { wanted, read, field, control = PLAIN, counterexample } = options;
  return {
    counterexample,
    judge(answers) {
      const view = getView(answers, 'asked');
      const got = view && read(view);
      if (got === null) return cannotTell('The response doesn’t show it.', 'asked', field);
      const note = `Asked for ${wanted}, got ${got}.`;
      if (got !== wanted) return contradict(note, 'asked', field);
      const other = getView(answers, control);
      if (other !== null && read(other) === wanted) return explainByDefault(note, 'asked', field);
      return agree(note, 'asked', field);
    },
  };
}

/** Shorter texts may be equal by chance. */
const MIN_TOKENS = 30;
/** Two free answers of this length are equal in fewer than one of a hundred cases. */
const EQUAL_CHANCE = 0.01;
/** Texts that share this part of the shorter one may differ only by rounding. */
const SHARED_START = 0.25;

function countShared(one: string, other: string): number {
  let count = 0;
  while (count < one.length && one[count] === other[count]) count += 1;
  return count;
}

/**
 * Judges whether equal requests with the field get equal answers. `free` and `freeAgain` are two
 * equal requests without it; if their answers are equal as well, the gateway may keep answers.
 * `other` has another value of the field, such as another seed, and must differ.
 */
export function repeatAnswer(options: { field: string; hasOther: boolean }): Rule {
  const what = options.field;
  return {
    counterexample: `Answers with the same ${what} differ from the start`,
    judge(answers) {
      const [first, second] = [getText(answers, 'first'), getText(answers, 'second')];
      const length = Math.min(first.length, second.length);
      if (Math.min(estimateTokens(first), estimateTokens(second)) < MIN_TOKENS) {
        return cannotTell('The answers are too short to compare.', 'first', TEXT);
      }
      if (first !== second) {
        if (countShared(first, second) >= SHARED_START * length) {
          return cannotTell(
            'The two answers begin alike and then differ, as rounding can cause.',
            'second',
            TEXT,
          );
        }
        return contradict(`Two answers with the same ${what} differ.`, 'second', TEXT);
      }
      if (getText(answers, 'free') === getText(answers, 'freeAgain')) {
        return cannotTell('Equal requests get equal answers without the field too.', 'free', TEXT);
      }
      if (options.hasOther && getText(answers, 'other') === first) {
        return cannotTell(`Another ${what} gets the same answer.`, 'other', TEXT);
      }
      const note = `Two answers with the same ${what} are equal; two without it differ.`;
      return agree(note, 'second', TEXT, EQUAL_CHANCE);
    },
  };
}

/** A model whose two answers at temperature 0 were equal rarely answers a third time otherwise. */
const CHANGE_CHANCE = 0.05;

/** Judges whether opposite values of a field change an answer that is otherwise always the same. */
export function changeAnswer(field: string): Rule {
  return {
    counterexample: `Opposite values of ${field} at temperature 0 get the same text`,
    judge(answers) {
      const [low, high] = [getText(answers, 'low'), getText(answers, 'high')];
      if (Math.min(estimateTokens(low), estimateTokens(high)) < MIN_TOKENS) {
        return cannotTell('The answers are too short to compare.', 'low', TEXT);
      }
      if (low === high) return contradict('Opposite values get the same answer.', 'high', TEXT);
      if (getText(answers, 'first') !== getText(answers, 'second')) {
        return cannotTell('Answers at temperature 0 differ without the field too.', 'first', TEXT);
      }
      return agree('Opposite values change the answer.', 'high', TEXT, CHANGE_CHANCE);
    },
  };
}

/**
 * Judges whether the model saw something that only the field shows, such as a code word. If the
 * answer doesn't name it, the input counts as unread only if it didn't cost any input tokens more
 * than `blind`, the same question without it, unless `isCertain`.
 */
export function nameSeen(options: {
  words: readonly string[];
  chance: number;
  isCertain: boolean;
  counterexample: string;
}): Rule {
  const { words, chance, isCertain, counterexample } = options;
  return {
    counterexample,
    judge(answers) {
      const text = getText(answers, 'asked').toLowerCase();
      const pattern = new RegExp(`(?<!\\w)(?:${[...new Set(words)].join('|')})(?!\\w)`, 'g');
      if (isSameJson(text.match(pattern), [...words])) {
        return agree(`The answer names it: ${words.join(', ')}.`, 'asked', TEXT, chance);
      }
      const note = `The answer doesn’t name ${words.join(', ')}.`;
      if (isCertain) return contradict(note, 'asked', TEXT);
      const [seen, blind] = ['asked', 'blind'].map(
        (name) => getTokenCounts(getView(answers, name)?.figures?.usage ?? null).input,
      );
      if (typeof seen === 'number' && typeof blind === 'number' && seen <= blind) {
        return contradict(
          `${note} It cost no input tokens (${seen} with it, ${blind} without).`,
          'asked',
          'usage.prompt_tokens',
        );
      }
      return cannotTell(`${note} The model may have misread it.`, 'asked', TEXT);
    },
  };
}

export interface Call {
  name: string;
  arguments: string;
}

export function listCalls(answers: Answers, name: string): Call[] {
  const view = getView(answers, name);
  if (view === null || !isRunOf(view, 'chat')) return [];
  return view.state.choices.flatMap((choice) => viewAnswer(choice).toolCalls);
}

const CALLS = PLACES.arguments;

/** Judges whether a model that must call a tool does; `tool` is the one that it must call. */
export function callTool(options: { tool: string; chance: number; counterexample: string }): Rule {
  const { tool, chance, counterexample } = options;
  return {
    counterexample,
    judge(answers) {
      const calls = listCalls(answers, 'asked');
      const wrong = calls.find(({ name }) => name !== tool);
      if (calls.length === 0) return contradict('The answer calls no tool.', 'asked', CALLS);
      if (wrong !== undefined) {
        return contradict(`The answer calls ${wrong.name}, not ${tool}.`, 'asked', CALLS);
      }
      const answer = getAnswer(answers, 'asked');
      const found = findFinding('arguments', answer.view, answer);
      if (found?.holds === false) return contradict(found.note, 'asked', CALLS);
      return agree(`The answer calls ${tool}.`, 'asked', CALLS, chance);
    },
  };
}
