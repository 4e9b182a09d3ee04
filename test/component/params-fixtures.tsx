import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Connection } from '../../shared/connection.ts';
import { defaultConnectionOptions } from '../../shared/connection-options.ts';
import type { ModelSuggestions } from '../../shared/contract/models.ts';
import type { OperationDescription } from '../../shared/operations/form/describe.ts';
import { describedField as field } from '../fixtures/described-field.ts';

/** Queries of one test: nothing is kept, nothing is tried again. */
export function Queries({ children }: { children: ReactNode }) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

export const demo: Connection = {
  id: 'demo',
  kind: 'demo',
  name: 'Demo',
  baseUrl: 'http://127.0.0.1:1',
  key: null,
  options: defaultConnectionOptions,
  lost: { key: false, values: false },
  createdAt: 0,
};

export const mine: Connection = { ...demo, id: 'mine', kind: 'custom', name: 'Mine' };

const known = {
  usedAt: null,
  fits: true,
  ownedBy: null,
  description: null,
  facts: null,
  price: null,
  format: '',
};

export const demoModels: ModelSuggestions = {
  models: [
    { id: 'demo-echo', ...known },
    { id: 'demo-story', ...known },
  ],
  preselected: 'demo-story',
  listProblem: null,
};

export const completion: OperationDescription = {
  name: 'completion',
  objects: {},
  renamable: [
    { name: 'temperature', title: 'Temperature', otherNames: ['temp'] },
    { name: 'n', title: 'Choices (n)', otherNames: [] },
  ],
  draft: { stream: true },
  fields: [
    field('temperature', {
      title: 'Temperature',
      control: 'slider',
      minimum: 0,
      maximum: 2,
      step: 0.05,
      gatewayDefault: 1,
      startValue: 1,
    }),
    field('n', {
      title: 'Choices (n)',
      control: 'number',
      integer: true,
      minimum: 1,
      gatewayDefault: 1,
      startValue: 1,
    }),
    field('stream', { title: 'Stream', group: 'Output', control: 'switch', startValue: true }),
    field('reasoning_effort', {
      title: 'Reasoning effort',
      group: 'Output',
      control: 'choice',
      options: ['low', 'medium', 'high'],
      startValue: 'medium',
    }),
    field('modalities', {
      title: 'Modalities',
      group: 'Output',
      control: 'choices',
      options: ['text', 'audio'],
      startValue: ['text'],
    }),
    field('tools', { title: 'Tools', group: 'Tools', control: 'json', startValue: [] }),
    field('stop', { title: 'Stop sequences', group: 'Other', control: 'lines', startValue: [] }),
    field('user', { title: 'User', group: 'Other', more: true }),
  ],
};
