/** Defines the interface that every operation implements. */
import type { JsonObject, JsonValue } from '../json.ts';
import type { Media } from '../media.ts';
import type { Quantities } from '../quantities.ts';
import type { Figures, Phase, RunEvent, RunEventOf } from '../run.ts';

/** Returns the file name of a `media:<id>` reference; null if the file has no name. */
export type FileName = (reference: string) => string | null;

/** A response of any operation in the format that history, inspector, search and exports share. */
export interface RunResponse {
  text: string;
  sections: { title: string; text: string; format: 'markdown' | 'plain' }[];
  media: Media[];
  warnings: string[];
  facts: [name: string, value: string][];
}

/** The fields derived from an operation's state; the run adds the media. */
export type OperationResponse = Omit<RunResponse, 'media'>;

/** `usage`: only usage is missing; `unclear`: more may follow, but a long silence means the end. */
export type StreamRest = 'more' | 'unclear' | 'usage' | 'nothing';

export interface Folded<State> {
  state: State;
  produced: number;
}

/** Tells exported code how to read the response. */
export type CodeResponse = { kind: 'text' } | { kind: 'stream' } | { kind: 'file'; name: string };

/** An endpoint that runs can call; `requestSchemas` in operations.ts has the request schema. */
export interface Operation<Request, State> {
  readonly method: 'POST';
  /** Path under the connection's base URL; `{model}` is replaced with the model. */
  readonly path: string;
  readonly draft: JsonObject;
  /** Fields whose wire name varies by gateway, each with the other names in use. */
  readonly renamable: Readonly<Record<string, readonly string[]>>;
  /** Fields that are sent only if another field is on. */
  readonly needs?: Readonly<Record<string, string>>;
  readonly followable: boolean;
  readonly readsLists: boolean;
  readonly initialState: State;
  /** Pure; never throws, whatever the gateway sent. */
  readonly fold: (state: State, event: RunEvent) => State;
  /**
   * Folds the chunks of one stream read together, because folding each chunk separately is slower.
   */
  readonly foldChunks?: (state: State, events: readonly RunEventOf<'chunk'>[]) => Folded<State>;
  /**
   * Whether `after` has new output; `before` may be the initial state if `after` was parsed from
   * JSON.
   */
  readonly produced: (before: State, after: State) => boolean;
  /**
   * Returns the part of the stream still to come, except the end mark; `sent` is the request body.
   */
  readonly rest: (state: State, sent: JsonObject) => StreamRest;
  /** Who is working on the run, and whether the work outlives the app process. */
  readonly phase: (state: State) => Phase;
  readonly figures: (state: State) => Omit<Figures, 'noResult'>;
  /** Explains why a successful response has no usable result; null if the result is usable. */
  readonly noResult: (state: State, media: readonly Media[]) => string | null;
  /** Returns the files that are results; if undefined, all files are. */
  readonly results?: (state: State, media: readonly Media[]) => Media[];
  /** Returns the usage that prices count; `media` has all files of the run. */
  readonly quantities: (state: State, media: readonly Media[]) => Quantities;
  readonly response: (state: State) => OperationResponse;
  /** `sent` is the recorded body as JSON; null if the body is not JSON. */
  readonly codeResponse: (state: State, sent: JsonValue) => CodeResponse;
  /** Returns the start of the prompt or text as one line of at most 120 characters. */
  readonly preview: (request: Request, fileName?: FileName) => string;
}
