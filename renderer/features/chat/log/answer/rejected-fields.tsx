import { createContext, type ReactNode, use } from 'react';
import type { ProviderFields } from '../../../../../shared/conversation.ts';
import type { AppError } from '../../../../../shared/errors.ts';
import { isJsonObject, type JsonObject } from '../../../../../shared/json.ts';
import {
  mayNameFields,
  readRejectedFields,
} from '../../../../../shared/operations/chat/rejected-fields.ts';
import {
  hasToolIndex,
  nameRejectedTool,
} from '../../../../../shared/operations/chat/rejected-tool.ts';
import type { RunInput, RunSummary } from '../../../../../shared/run.ts';
import { useRecordedInput } from '../../../../run/live/recorded-input.ts';
import { Button } from '../../../../ui/button.tsx';

interface ProviderFieldsSetting {
  value: ProviderFields;
  /** Resolves to false if saving failed. */
  change: (value: ProviderFields) => Promise<boolean>;
}

export const ProviderFieldsContext = createContext<ProviderFieldsSetting | null>(null);

/** Explains why the provider fields were rejected and offers to resend with the other setting. */
export function useFieldsRetry(
  { id, error }: Pick<RunSummary, 'id' | 'error'>,
  onRetry: (() => void) | undefined,
): { error: AppError | null; actions?: ReactNode } {
  const setting = use(ProviderFieldsContext);
  const mayExplain =
    error?.gateway != null && (mayNameFields(error) || hasToolIndex(error.gateway));
  const sent = useRecordedInput(mayExplain ? id : null);
  if (error === null || sent === null) return { error };
  const rejected =
    setting === null ? null : readRejectedFields(error, setting.value, getMessages(sent));
  if (rejected === null) {
    const { tools } = { ...sent.request, ...sent.extraBody };
    const named = error.gateway === null ? null : nameRejectedTool(error.gateway, tools);
    return { error: named === null ? error : { ...error, nextStep: named } };
  }
  const { explanation, setting: other } = rejected;
  const explained = { ...error, nextStep: explanation };
  if (onRetry === undefined) return { error: explained };
  async function retry() {
    if (await setting?.change(other)) onRetry?.();
  }
  return {
    error: explained,
    actions: (
      <Button size="small" onClick={() => void retry()}>
        {labels[other]}
      </Button>
    ),
  };
}

function getMessages({ request, extraBody }: RunInput): JsonObject[] {
  const { messages } = { ...request, ...extraBody };
  return Array.isArray(messages) ? messages.filter(isJsonObject) : [];
}

const labels: Readonly<Record<ProviderFields, string>> = {
  automatic: 'Retry with automatic provider fields',
  always: 'Retry with provider fields',
  never: 'Retry without provider fields',
};
