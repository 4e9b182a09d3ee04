import { createContext, type ReactNode, use } from 'react';
import type { ProviderFields } from '../../../../shared/conversation.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { readRejectedFields } from '../../../../shared/operations/chat/rejected-fields.ts';
import { Button } from '../../../ui/button.tsx';

interface ProviderFieldsSetting {
  value: ProviderFields;
  /** Resolves to false if saving failed. */
  change: (value: ProviderFields) => Promise<boolean>;
}

export const ProviderFieldsContext = createContext<ProviderFieldsSetting | null>(null);

/** Explains why the provider fields were rejected and offers to resend with the other setting. */
export function useFieldsRetry(
  error: AppError | null,
  onRetry: (() => void) | undefined,
): { error: AppError | null; actions?: ReactNode } {
  const setting = use(ProviderFieldsContext);
  if (error === null || setting === null) return { error };
  const rejected = readRejectedFields(error, setting.value);
  if (rejected === null) return { error };
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

const labels: Readonly<Record<ProviderFields, string>> = {
  automatic: 'Retry with automatic provider fields',
  always: 'Retry with provider fields',
  never: 'Retry without provider fields',
};
