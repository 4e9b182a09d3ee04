import { type WorkName, type WorkOrder, work } from './comparison-work.ts';

addEventListener('message', ({ data }: MessageEvent<WorkOrder<WorkName>>) => {
  self.postMessage(work(data));
});
