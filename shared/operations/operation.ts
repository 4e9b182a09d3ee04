/** Defines the interface that every operation implements. */
import type { JsonObject, JsonValue } from '../json.ts';
import type { Media } from '../media.ts';
import type { Quantities } from '../quantities.ts';
import type { Figures, HeaderList, Phase, RunEvent, RunEventOf, RunInput } from '../run.ts';
import type { AnyFieldTable } from './field-table.ts';

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

/** Converts a request to a body and back; by default, the body has the fields as they are. */
export interface BodyFormat {
  /** Says how each field is sent; undefined if the operation has only one format. */
  readonly fields?: AnyFieldTable;
  /** Returns a body as this format writes it, such as lists in place of single values. */
  readonly normalize?: (body: JsonObject) => JsonObject;
  /** Returns a body with what `fields` change in values that a form holds, such as tool schemas. */
  readonly adapt?: (body: JsonObject) => JsonObject;
}

/** Requests with files are sent as a multipart form, in which each file is a `media:<id>`. */
export interface FormFormat {
  readonly path: string;
  /** The body fields that have files, in the order in which they are sent. */
  readonly files: readonly string[];
  readonly isUsed: (request: JsonObject, wireNames: RunInput['wireNames']) => boolean;
}

/** Another wire format, chosen by the `format` field of the request. */
export interface RequestFormat extends BodyFormat {
  readonly name: string;
  readonly title: string;
  readonly path: string;
  /** Returns the path if it depends on the request; `path` is the format's, or the connection's own. */
  readonly getPath?: (request: JsonObject, path: string) => string;
  readonly fields: AnyFieldTable;
  /** Undefined if every request is sent as JSON. */
  readonly form?: FormFormat;
  /** Sent unless the connection sets them; undefined for none. */
  readonly headers?: HeaderList;
}

export type Format<State> = RequestFormat & FormatReader<State>;

/**
 * An endpoint that runs can call, in its default format. Its request schema is in `requestSchemas`
 * (operations.ts).
 */
export interface Operation<Request, State> extends FormatReader<State>, BodyFormat {
  readonly method: 'POST';
  /** The formats other than the default; undefined if there are none. */
  readonly formats?: readonly Format<State>[];
  /** The title of the default format. Set it only if the operation has other formats. */
  readonly formatTitle?: string;
  readonly draft: JsonObject;
  /** Request fields that only Gatehouse uses, for an operation without a table of its fields. */
  readonly local?: ReadonlySet<string>;
  /** Fields whose API name varies by gateway, each with its alternative names. */
  readonly renamable: Readonly<Record<string, readonly string[]>>;
  /** Fields that may share an API name. */
  readonly joined?: ReadonlySet<string>;
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
