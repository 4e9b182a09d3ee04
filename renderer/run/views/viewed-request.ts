/** Describes the request of a panel to its JSON and Code views. */
import { useMemo } from 'react';
import type { FormValues } from '../../../shared/form.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { describeOperation } from '../../../shared/operations/form/describe.ts';
import type { OperationName } from '../../../shared/operations/operation-name.ts';
import type { SentRequest } from '../../../shared/run.ts';
import { api } from '../../lib/api.ts';
import type { InputMapping } from '../compare/compared-input.ts';
import type { Form } from '../form/form.ts';
import type { Readiness } from '../form/use-ready-run.ts';
import type { DescribedFields } from './form-body.ts';

type AnyValues = FormValues<OperationName>;

/** The request that would be sent, or why there is none yet. */
export type Preview =
  | { blocked: string }
  | {
      /** Changes whenever the request may change. */
      key: readonly unknown[];
      load: (signal: AbortSignal) => Promise<SentRequest>;
    };

export interface ViewedProblem {
  message: string;
  /** An error leaves the fields unchanged; a warning lists omitted parts. */
  severity: 'error' | 'warning';
}

export interface ViewedRequest {
  form: Form<OperationName>;
  described: DescribedFields;
  /** Returns the fields that the panel adds, valid or not. */
  getOwn: (values: AnyValues) => JsonObject;
  /** Returns the part of a request that those fields can represent. */
  hold: (request: JsonObject) => JsonObject;
  writeOwn: (own: JsonObject) => void;
  /** Returns null if the panel's fields can represent the edited body. */
  findProblem?: (request: JsonObject) => ViewedProblem | null;
  /** Returns the range of messages that were already sent and can't be edited. */
  getSent: (values: AnyValues) => { from: number; count: number };
  /** Names that never become extra body fields. */
  fixed: ReadonlySet<string>;
  /** False until all parts of the request have loaded. */
  isLoaded: boolean;
  /** A value that changes after a run has sent the edited text. */
  revision: string;
  preview: Preview;
}

/** Returns the request of a panel whose input is part of its form. */
export function usePanelRequest(
  form: Form<OperationName>,
  own: InputMapping,
  { ready, blocked }: Pick<Readiness, 'ready' | 'blocked'>,
): ViewedRequest {
  const described = useMemo(() => describeOperation(form.operation), [form.operation]);
  return useMemo(() => {
    const { operation } = form;
    const getInput = () => form.state.getState().values.input;
    return {
      form,
      described,
      getOwn: ({ input }) => own.write(input),
      hold: (request) => ({ ...request, ...own.write({ ...getInput(), ...own.read(request) }) }),
      writeOwn: (fields) => form.change({ input: own.read(fields) }, { typing: true }),
      getSent: () => noneSent,
      fixed: noNames,
      isLoaded: true,
      revision: '',
      preview:
        ready === null
          ? { blocked: blocked?.reason ?? 'Gatehouse is still loading.' }
          : {
              key: [operation, ready, getInput()],
              load: (signal) => {
                const request = { ...ready.request, ...own.write(getInput()) };
                return api.runs.preview({ ...ready, operation, request }, { signal });
              },
            },
    };
  }, [form, described, own, ready, blocked]);
}

const noneSent = { from: 0, count: 0 };
const noNames: ReadonlySet<string> = new Set();
