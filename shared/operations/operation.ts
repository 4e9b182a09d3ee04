/** The interface that every operation implements for the rest of Gatehouse. */
import type { JsonObject, JsonValue } from '../json.ts';
import type { Media } from '../media.ts';
import type { Quantities } from '../quantities.ts';
import type { Figures, Phase, RunEvent, RunEventOf } from '../run.ts';

/** The name of the file that a `media:<id>` refers to; null if it has none. */
export type FileName = (reference: string) => string | null;

/** A response as history, inspector, search and exports read it, for any operation. */
export interface Reply {
  /** The answer as plain text; empty if it is not text. */
  text: string;
  /** Everything the reply put together, each piece under a heading; the answer's text among them. */
  sections: { title: string; text: string; format: 'markdown' | 'plain' }[];
  /** Media received, complete or not. */
  media: Media[];
  /** Warnings for the user, each once. */
  warnings: string[];
  /** Facts from the response, by API field name. */
  facts: [name: string, value: string][];
}

/** The part of a reply that an operation derives from its state; the media are the run's, whatever its operation. */
export type OperationReply = Omit<Reply, 'media'>;

/**
 * `usage`: only the figures that were asked for. `unclear`: there is a finish reason, but more may follow: a
 * stream that is silent for long has ended.
 */
export type StreamRest = 'more' | 'unclear' | 'usage' | 'nothing';

export interface Folded<State> {
  state: State;
  /** How many of the events brought generated output. */
  produced: number;
}

/** Tells exported code how to read the response. */
export type CodeReply = { kind: 'text' } | { kind: 'stream' } | { kind: 'file'; name: string };

/** An endpoint that runs can call. Its request schema is in `requestSchemas` of operations.ts. */
export interface Operation<Request, State> {
  readonly method: 'POST';
  /** Path under the connection's base URL, with `{model}` if the model is in the path. */
  readonly path: string;
  /** The values that a new form has set. */
  readonly draft: JsonObject;
  /**
   * Fields whose wire name the interface does not show, or that gateways spell differently. Each is sent
   * under its own name unless the run's input renames it; the list holds other names known to be in use.
   */
  readonly renamable: Readonly<Record<string, readonly string[]>>;
  /** Fields that mean something only while another one is on: not sent without it. */
  readonly needs?: Readonly<Record<string, string>>;
  /** Whether a run can follow a task that the gateway has already. */
  readonly followable: boolean;
  /** Whether its replies may also be a list, by itself or of what would have been streamed. */
  readonly readsLists: boolean;
  /** The state before any event. */
  readonly initialState: State;
  /** Pure: the state after `event`. Never throws, whatever the gateway sent. */
  readonly fold: (state: State, event: RunEvent) => State;
  /** The same for what one read of a stream brought, where that can be folded faster than one by one. */
  readonly foldChunks?: (state: State, events: readonly RunEventOf<'chunk'>[]) => Folded<State>;
  /**
   * Whether `after` holds generated output that `before` did not: text, reasoning, call arguments. `before` may also be
   * the initial state where `after` has been through JSON and shares nothing with it.
   */
  readonly produced: (before: State, after: State) => boolean;
  /**
   * Says what a stream still has to bring, except its end mark; `more` if unknown. `sent` is the request's body.
   */
  readonly rest: (state: State, sent: JsonObject) => StreamRest;
  /** Who works on the run now, and whether it outlives this process. */
  readonly phase: (state: State) => Phase;
  /** The figures under the result. */
  readonly figures: (state: State) => Omit<Figures, 'noResult'>;
  /**
   * Why a reply without an error holds nothing usable (blocked, withheld, empty), in a sentence for the
   * user; null if it holds something. `media`: all that the run's replies brought.
   */
  readonly noResult: (state: State, media: readonly Media[]) => string | null;
  /** Returns the usage that prices count. `media` has all files of the run. */
  readonly quantities: (state: State, media: readonly Media[]) => Quantities;
  readonly reply: (state: State) => OperationReply;
  /** `sent`: the recorded body as JSON; null if it is none. */
  readonly codeReply: (state: State, sent: JsonValue) => CodeReply;
  /** The start of the prompt or text, for lists; one line of at most 120 characters. */
  readonly preview: (request: Request, fileName?: FileName) => string;
}
