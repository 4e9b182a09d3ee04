/** Rules that several rows of a probe share; each is a pure function over responses. */
import { estimateTokens } from '../../estimate-tokens.ts';
import { isSameJson, type JsonObject } from '../../json.ts';
import { viewAnswer } from '../../operations/chat/answer-view.ts';
import { getTokenCounts } from '../../operations/response/usage.ts';
import { isRunOf, type RunView } from '../../run-view.ts';
import { listFindings } from '../asked.ts';
import { type AskedName, findingTypes } from '../finding.ts';
import {
  type Answers,
  agree,
  cannotTell,
  contradict,
  PLAIN,
  type RowData,
  type Rule,
} from './judge-row.ts';

/** Makes a row of each value. */
export function mapRows<Value>(
  values: readonly Value[],
  createRow: (value: Value) => RowData & { id: string },
): Record<string, RowData> {
  return Object.fromEntries(values.map(createRow).map(({ id, ...row }) => [id, row]));
}

export function getView(answers: Answers, name: string): RunView | null {
  return answers[name]?.view ?? null;
}

/** Returns the first choice of a chat answer. */
export function getChoice(view: RunView | null) {
  return view !== null && isRunOf(view, 'chat') ? view.state.choices[0] : undefined;
}

/** A longer text would block the rules, or overflow the stack of their patterns. */
const MAX_TEXT_LENGTH = 100_000;

/** Returns the start of the first choice's text; empty if it has none. */
export function getText(view: RunView | null): string {
  const choice = getChoice(view);
  return choice === undefined ? '' : viewAnswer(choice).content.slice(0, MAX_TEXT_LENGTH);
}

export function getCounts(view: RunView | null) {
  return getTokenCounts(view?.figures?.usage ?? null);
}

/** Where the evidence of an answer's text stands. */
export const TEXT = findingTypes.stop.place;
export const CALLS = findingTypes.arguments.place;

/** Says whether a response has what its request asked for. */
interface Reading {
  holds: boolean;
  note: string;
  /** Where in the response it is, if it isn't where the rule looks. */
  field?: string;
  chance?: number;
}

/** Returns a sentence if the response can't tell. */
type Read = (view: RunView, request: JsonObject) => Reading | string;

export const UNSHOWN = 'The response doesn’t show it.';

/**
 * Judges by one response. The field is ignored if the response contradicts it. It is honored if the
 * response agrees and that to `control`, the request without the field, doesn't. If both agree, the
 * gateway may have sent its default.
 */
export function follow(
  counterexample: string,
  field: string,
  read: Read,
  asked = 'asked',
  control: string | null = PLAIN,
): Rule {
  return {
    counterexample,
    judge(answers) {
      const { view = null, request = {} } = answers[asked] ?? {};
      const found = view === null ? UNSHOWN : read(view, request);
      if (typeof found === 'string') return cannotTell(found, asked, field);
      const { holds, note, field: place = field, chance } = found;
      if (!holds) return contradict(note, asked, place);
      const plain = control === null ? null : getView(answers, control);
      const other = plain === null ? UNSHOWN : read(plain, request);
      return typeof other === 'object' && other.holds
        ? cannotTell(`${note} It’s the same without the field.`, asked, place)
        : agree(note, asked, place, chance);
    },
  };
}

/** Judges by one response alone, for what no default explains. */
export function show(counterexample: string, field: string, read: Read, asked = 'asked'): Rule {
  return follow(counterexample, field, read, asked, null);
}

/** Reads a finding of a finished run (asked.ts). */
export function readFinding(name: AskedName): Read {
  return (view, request) => {
    const found = listFindings({ view, request, sentSeconds: null });
    const finding = found.find((each) => each.name === name);
    if (finding === undefined) return UNSHOWN;
    return { holds: finding.holds, note: finding.note.replace(/\.?$/, '.') };
  };
}

export function followAsked(name: AskedName, counterexample: string, asked?: string): Rule {
  return follow(counterexample, findingTypes[name].place, readFinding(name), asked);
}

/** Judges by a finding of the request without fields, for what every response should have. */
export function holdAlways(name: AskedName, counterexample: string): Rule {
  return show(counterexample, findingTypes[name].place, readFinding(name), PLAIN);
}

/** Reads a value, which is null if the response doesn't show it, and compares it with `wanted`. */
export function readValue(wanted: string, read: (view: RunView) => string | null): Read {
  return (view) => {
    const got = read(view);
    if (got === null) return UNSHOWN;
    return { holds: got === wanted, note: `Asked for ${wanted}, got ${got}.` };
  };
}

/** Shorter texts may be equal by chance. */
export const MIN_TOKENS = 30;
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
 * `other`, if the row has it, has another value of the field, such as another seed, and must differ.
 */
export function repeatAnswer(what: string): Rule {
  return {
    counterexample: `Answers with the same ${what} differ from the start`,
    judge(answers) {
      const get = (name: string) => getText(getView(answers, name));
      const [first, second] = [get('first'), get('second')];
      if (Math.min(estimateTokens(first), estimateTokens(second)) < MIN_TOKENS) {
        return cannotTell('The answers are too short to compare.', 'first', TEXT);
      }
      if (first !== second) {
        const isAlike =
          countShared(first, second) >= SHARED_START * Math.min(first.length, second.length);
        return isAlike
          ? cannotTell(BEGINS_ALIKE, 'second', TEXT)
          : contradict(`Two answers with the same ${what} differ.`, 'second', TEXT);
      }
      if (get('free') === get('freeAgain')) {
        return cannotTell('Equal requests get equal answers without the field too.', 'free', TEXT);
      }
      if (answers.other !== undefined && get('other') === first) {
        return cannotTell(`Another ${what} gets the same answer.`, 'other', TEXT);
      }
      const note = `Two answers with the same ${what} are equal; two without it differ.`;
      return agree(note, 'second', TEXT, EQUAL_CHANCE);
    },
  };
}

const BEGINS_ALIKE = 'The two answers begin alike and then differ, as rounding can cause.';

/**
 * Judges whether the model saw something that only the field shows, such as a code word. If the
 * answer doesn't name it, and the row has `blind`, the same question without it, the input counts
 * as unread only if it didn't cost any input tokens more.
 */
export function nameSeen(words: readonly string[], counterexample: string, chance = 0): Rule {
  return {
    counterexample,
    judge(answers) {
      const asked = getView(answers, 'asked');
      const pattern = new RegExp(`(?<!\\w)(?:${[...new Set(words)].join('|')})(?!\\w)`, 'g');
      if (isSameJson(getText(asked).toLowerCase().match(pattern), [...words])) {
        return agree(`The answer names it: ${words.join(', ')}.`, 'asked', TEXT, chance);
      }
      const note = `The answer doesn’t name ${words.join(', ')}.`;
      if (answers.blind === undefined) return contradict(note, 'asked', TEXT);
      const [seen, blind] = [asked, answers.blind.view].map((view) => getCounts(view).input);
      if (typeof seen === 'number' && typeof blind === 'number' && seen <= blind) {
        const cost = `It cost no input tokens (${seen} with it, ${blind} without).`;
        return contradict(`${note} ${cost}`, 'asked', 'usage.prompt_tokens');
      }
      return cannotTell(`${note} The model may have misread it.`, 'asked', TEXT);
    },
  };
}

export function listCalls(view: RunView | null) {
  if (view === null || !isRunOf(view, 'chat')) return [];
  return view.state.choices.flatMap((choice) => viewAnswer(choice).toolCalls);
}

/** Reads whether the answer calls only `tool`, with arguments that fit. */
export function readCall(tool: string, chance = 0): Read {
  return (view, request) => {
    const calls = listCalls(view);
    const wrong = calls.find(({ name }) => name !== tool);
    if (calls.length === 0) return { holds: false, note: 'The answer calls no tool.' };
    if (wrong !== undefined) {
      return { holds: false, note: `The answer calls ${wrong.name}, not ${tool}.` };
    }
    const found = readFinding('arguments')(view, request);
    if (typeof found === 'object' && !found.holds) return found;
    return { holds: true, note: `The answer calls ${tool}.`, chance };
  };
}
