import { ToastRegion } from '../ui/toast-region.tsx';
import { TooltipLayer } from '../ui/tooltip-layer.tsx';
import { LiveRegion } from './live-region.tsx';

/** What lies over the page and is not needed for its first paint. */
export function Overlays() {
  return (
    <>
      <ToastRegion />
      <TooltipLayer />
      <LiveRegion />
    </>
  );
}
