import { tasks, type WorkerRequest, type WorkName } from './comparison-work.ts';

addEventListener('message', ({ data }: MessageEvent<WorkerRequest<WorkName>>) => {
  self.postMessage(tasks(data));
});
