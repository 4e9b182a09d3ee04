/**
 * An operation without its own types, so that the engine can hold several in one table. Requests are
 * checked when they come in; a state is only taken back where this same operation made it.
 */
import { AppFailure } from '../../shared/errors.ts';
import type { JsonObject, JsonValue } from '../../shared/json.ts';
import type { Endpoint, FileName, OperationSpec } from '../../shared/operations/operation.ts';
import { previewLine } from '../../shared/operations/reply/preview.ts';
import type { Figures, RunEvent } from '../../shared/run.ts';
import type { PartialRunInput, RunInput } from '../../shared/run-input.ts';
import type { Ending } from '../runs/ending.ts';
import type { RunContext } from '../runs/run-context.ts';
import { checkInput } from './check-input.ts';
import { executeJson } from './execute-json.ts';

export interface CheckedInput extends RunInput {
  model: string;
  /** One line for lists. */
  preview: string;
}

export interface AnyOperation extends Endpoint {
  /** Strict; throws an `invalid-request` failure that names the fields. Unset fields stay unset. */
  check(input: PartialRunInput, fileName?: FileName): CheckedInput;
  /** Carries out one run; expected failures are its ending, it rejects only for a defect. */
  execute(context: RunContext): Promise<Ending>;
  readonly initialState: JsonValue;
  /** Takes `initialState` or what an earlier `fold` answered; any other state is a defect and throws. */
  fold(state: JsonValue, event: RunEvent): JsonValue;
  produced(before: JsonValue, after: JsonValue): boolean;
  figures(state: JsonValue): Figures;
  /** Whether a run in this state goes on after a restart. */
  outlivesMain(state: JsonValue): boolean;
  /** Whether the gateway carries the run on by itself: to stop it is to look away. */
  goesOnElsewhere(state: JsonValue): boolean;
  /** Whether nothing is done for the run before the user says so. */
  rests(state: JsonValue): boolean;
}

/** Where an operation is more than one JSON request. */
export interface Behaviour<State> {
  execute?: (context: RunContext) => Promise<Ending>;
  outlivesMain?: (state: State) => boolean;
  goesOnElsewhere?: (state: State) => boolean;
  rests?: (state: State) => boolean;
}

export function erase<Request extends object, State extends JsonObject>(
  spec: OperationSpec<Request, State>,
  behaviour: Behaviour<State> = {},
): AnyOperation {
  const { name, label, method, path, requestSchema, draft, renamable, followable, initialState } =
    spec;
  /** Every state made here: membership proves the type that `JsonValue` forgot. */
  const made = new WeakSet<object>([initialState]);

  function isOwn(state: JsonValue): state is State {
    return typeof state === 'object' && state !== null && made.has(state);
  }

  function own(state: JsonValue): State {
    if (isOwn(state)) return state;
    throw new TypeError(`This state was not folded by the operation ${name}`);
  }

  return {
    name,
    label,
    method,
    path,
    requestSchema,
    draft,
    renamable,
    followable,
    initialState,
    check(given, fileName) {
      const input = checkInput(spec, given);
      const { success, data } = requestSchema.safeParse(input.request);
      const preview = success ? spec.preview(data, fileName) : previewLine(`Task ${input.follow}`);
      return { ...input, model: modelOf(input.request), preview };
    },
    async execute(context) {
      try {
        return await (behaviour.execute?.(context) ?? executeJson(spec, context));
      } catch (cause) {
        if (!(cause instanceof AppFailure)) throw cause;
        return { status: 'failed', error: cause.error, timings: null };
      }
    },
    fold(state, event) {
      const next = spec.fold(own(state), event);
      if (next !== state) made.add(next);
      return next;
    },
    produced: (before, after) => spec.produced(own(before), own(after)),
    figures: (state) => spec.figures(own(state)),
    outlivesMain: (state) => behaviour.outlivesMain?.(own(state)) ?? false,
    goesOnElsewhere: (state) => behaviour.goesOnElsewhere?.(own(state)) ?? false,
    rests: (state) => behaviour.rests?.(own(state)) ?? false,
  };
}

/** Empty for what names no model, such as a request of the console. */
function modelOf(request: object): string {
  return 'model' in request && typeof request.model === 'string' ? request.model : '';
}
