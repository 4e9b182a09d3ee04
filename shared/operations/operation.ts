/** Defines the interface that every operation implements. */
import type { JsonObject, JsonValue } from '../json.ts';
import type { Media } from '../media.ts';
import type { Quantities } from '../quantities.ts';
import type { Figures, HeaderList, Phase, RunEvent, RunEventOf, RunInput } from '../run.ts';

/** Returns the file name of a `media:<id>` reference; null if the file has no name. */
export type FileName = (reference: string) => string | null;

/** A response of any operation, in the format shared by history, inspector, search and exports. */
export interface RunResponse {
  text: string;
  sections: { title: string; text: string; format: 'markdown' | 'plain' }[];
  media: Media[];
  warnings: string[];
  facts: [name: string, value: string][];
}

/** The fields derived from an operation's state; the run adds its media. */
export type OperationResponse = Omit<RunResponse, 'media'>;

/** `usage`: only usage may follow; `unclear`: more may follow, but a long silence means the end. */
export type StreamRest = 'more' | 'unclear' | 'usage' | 'nothing';

export interface Folded<State> {
  state: State;
  produced: number;
}

/** How exported code should read the response. */
export type CodeResponse = { kind: 'text' } | { kind: 'stream' } | { kind: 'file'; name: string };

/** Reads a response into the operation's state, whichever format it came in. */
export interface FormatReader<State> {
  /** Path under the connection's base URL; `{model}` is replaced with the model. */
  readonly path: string;
  /** Pure; never throws, whatever the gateway sends. */
  readonly fold: (state: State, event: RunEvent) => State;
  /** Folds chunks that were read together, which is faster than folding them one by one. */
  readonly foldChunks?: (state: State, events: readonly RunEventOf<'chunk'>[]) => Folded<State>;
  /** Folds files that were recorded together, which is faster than folding them one by one. */
  readonly foldMedia?: (state: State, events: readonly RunEventOf<'media'>[]) => State;
  /** Returns what the stream may still send before its end mark; `sent` is the request body. */
  readonly rest: (state: State, sent: JsonObject) => StreamRest;
}

/** A multipart form, sent to its own path; each file is a `media:<id>` reference. */
export interface FormRequest {
  path: string;
  fields: JsonObject;
  files: { name: string; reference: string }[];
}

/** Reads a request body; undefined functions return the body as it is. */
export interface BodyReader {
  /**
   * Inverse of `encode`: returns the operation's own fields, and may omit any that it can't read.
   * `current` is the form's request, which decides between fields sent under the same name.
   */
  readonly decode?: (body: JsonObject, current: JsonObject) => JsonObject;
  /** Returns the body as `encode` would write it, such as lists in place of single values. */
  readonly normalize?: (body: JsonObject) => JsonObject;
}

/** Writes a request in another wire format, chosen by its `format` field. */
export interface RequestFormat extends BodyReader {
  readonly name: string;
  readonly title: string;
  readonly path: string;
  /** Returns the path of a request that has another one; undefined if all have the same. */
  readonly getPath?: (request: JsonObject) => string;
  /** Converts a request in the operation's own fields to the body of this format. */
  readonly encode: (request: JsonObject) => JsonObject;
  /** Converts a request with files to a multipart form; null if it is sent as JSON. */
  readonly toForm?: (request: JsonObject, wireNames: RunInput['wireNames']) => FormRequest | null;
  /** Fields of the form that this format can't send. */
  readonly unsent: ReadonlySet<string>;
  /** Sent unless the connection sets them; undefined for none. */
  readonly headers?: HeaderList;
}

export type Format<State> = RequestFormat & FormatReader<State>;

/** An endpoint that runs can call; its request schema is in `requestSchemas` (operations.ts). */
export interface Operation<Request, State> extends FormatReader<State> {
  readonly method: 'POST';
  /** The formats other than the default; undefined if there are none. */
  readonly formats?: readonly Format<State>[];
  /** The title of the default format, and fields that only other formats send. */
  readonly defaultFormat?: Pick<RequestFormat, 'title' | 'unsent'>;
  /** Reads the default format. */
  readonly reader?: BodyReader;
  readonly draft: JsonObject;
  /** Request fields that only Gatehouse uses and never sends; undefined if there are none. */
  readonly local?: ReadonlySet<string>;
  /** Fields whose API name varies by gateway, each with its alternative names. */
  readonly renamable: Readonly<Record<string, readonly string[]>>;
  /** Fields that may share an API name; `spell` then sends all their values under it. */
  readonly joined?: ReadonlySet<string>;
  /** Renames fields whose API names also determine their shape; by default, only renames them. */
  readonly spell?: (
    request: JsonObject,
    wireNames: RunInput['wireNames'],
    format: string | null,
  ) => JsonObject;
  /** Inverse of `spell`; also returns names that the body uses but `wireNames` lacks. */
  readonly unspell?: (
    body: JsonObject,
    wireNames: RunInput['wireNames'],
    format: string | null,
  ) => { request: JsonObject; wireNames: RunInput['wireNames'] };
  /** Fields that are sent only if another field is true. */
  readonly needs?: Readonly<Record<string, string>>;
  readonly followable: boolean;
  readonly readsLists: boolean;
  readonly initialState: State;
  /**
   * Whether `after` has new output; `before` may be the initial state if `after` was parsed from
   * JSON.
   */
  readonly hasNewOutput: (before: State, after: State) => boolean;
  /** Who is working on the run, and whether that work survives if the app exits. */
  readonly phase: (state: State) => Phase;
  readonly figures: (state: State) => Omit<Figures, 'noResult'>;
  /** Explains why a successful response has no usable result; null if it has one. */
  readonly noResult: (state: State, media: readonly Media[]) => string | null;
  /** Returns the files that are results; if undefined, all files are results. */
  readonly results?: (state: State, media: readonly Media[]) => Media[];
  /** Returns the usage that is billed; `media` contains all files of the run. */
  readonly quantities: (state: State, media: readonly Media[]) => Quantities;
  readonly response: (state: State) => OperationResponse;
  /** `sent` is the recorded body as JSON; null if the body is not JSON. */
  readonly codeResponse: (state: State, sent: JsonValue) => CodeResponse;
  /** Returns the start of the prompt or text as one line of at most 120 characters. */
  readonly preview: (request: Request, fileName?: FileName) => string;
}
