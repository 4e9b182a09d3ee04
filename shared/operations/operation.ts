/** What every operation states about itself; both sides and the demo gateway read it. */
import type { z } from 'zod';
import type { JsonObject } from '../json.ts';
import type { Figures, RunEvent } from '../run.ts';
import type { OperationName } from './operation-name.ts';

/**
 * One endpoint and its request. `requestSchema` is the single source of limits, labels and help: the
 * parameter form, the check before sending and the demo gateway's 400 all come from it.
 */
export interface Endpoint<Request = unknown> {
  readonly name: OperationName;
  readonly label: string;
  readonly method: 'POST';
  /** Path under the connection's base URL, with `{model}` where the model stands in the path. */
  readonly path: string;
  readonly requestSchema: z.ZodObject & z.ZodType<Request>;
  /** What a new draft has set, visible and removable. */
  readonly draft: JsonObject;
  /**
   * Fields whose wire name the interface does not show, or that gateways spell differently. Each is sent
   * under its own name unless the run's input renames it; the list holds other names known to be in use.
   */
  readonly renamable: Readonly<Record<string, readonly string[]>>;
  /** Whether a run can follow a task that the gateway has already. */
  readonly followable: boolean;
}

/** The name of the file that a `media:<id>` stands for; null where it has none. */
export type FileName = (reference: string) => string | null;

/** An endpoint that runs can call: what its events mean. */
export interface OperationSpec<Request, State> extends Endpoint<Request> {
  /** The state before any event. */
  readonly initialState: State;
  /** Pure: the state after `event`. Never throws, whatever the gateway sent. */
  readonly fold: (state: State, event: RunEvent) => State;
  /** Whether `after` holds generated output that `before` did not: text, reasoning, call arguments. */
  readonly produced: (before: State, after: State) => boolean;
  /** The figures under the result. */
  readonly figures: (state: State) => Figures;
  /** The start of what was asked, for lists; one line of at most 120 characters. */
  readonly preview: (request: Request, fileName?: FileName) => string;
}
