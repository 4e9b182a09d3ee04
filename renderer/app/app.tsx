import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { queryClient } from '../lib/query-client.ts';
import { Shell } from './shell.tsx';

const Overlays = lazy(async () => ({ default: (await import('./overlays.tsx')).Overlays }));

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Shell />
      <Suspense>
        <Overlays />
      </Suspense>
    </QueryClientProvider>
  );
}
