import { QueryClientProvider } from '@tanstack/react-query';
import { queryClient } from '../lib/query-client.ts';
import { ToastRegion } from '../ui/toast.tsx';
import { TooltipLayer } from '../ui/tooltip.tsx';
import { LiveRegion } from './live-region.tsx';
import { Shell } from './shell.tsx';

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Shell />
      <ToastRegion />
      <TooltipLayer />
      <LiveRegion />
    </QueryClientProvider>
  );
}
