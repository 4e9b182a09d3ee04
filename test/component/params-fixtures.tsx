import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Connection } from '../../shared/connection.ts';
import { defaultConnectionOptions } from '../../shared/connection-options.ts';
import type { ModelSuggestions } from '../../shared/contract/models.ts';

/** Gives each test a separate query cache without retries. */
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
