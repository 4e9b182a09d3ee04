/** The built-in demo gateway as a connection: started on first use, with its own key. */
import { randomBytes } from 'node:crypto';
import { readSpeed, readVideoSeconds } from './command-line.ts';
import { startDemoGateway } from './server.ts';

export interface Demo {
  /** New at each start; only the demo gateway itself knows it. */
  readonly key: string;
  /** Starts the gateway on a free loopback port on first use. */
  baseUrl(): Promise<string>;
  close(): Promise<void>;
}

/**
 * `GATEHOUSE_DEMO_VIDEO_SECONDS` in the environment sets how long a video task takes, `GATEHOUSE_DEMO_SPEED` how many
 * times as fast as real time everything goes.
 */
export function createDemo(environment: NodeJS.ProcessEnv): Demo {
  const key = `demo-${randomBytes(18).toString('base64url')}`;
  let started: ReturnType<typeof startDemoGateway> | null = null;
  return {
    key,
    async baseUrl() {
      const videoSeconds = readVideoSeconds(environment.GATEHOUSE_DEMO_VIDEO_SECONDS ?? '');
      const speed = readSpeed(environment.GATEHOUSE_DEMO_SPEED ?? '');
      started ??= startDemoGateway({
        port: 0,
        key,
        ...(videoSeconds !== null && { videoSeconds }),
        ...(speed !== null && { speed }),
      });
      started.catch(() => {
        started = null;
      });
      return (await started).baseUrl;
    },
    async close() {
      const gateway = await started?.catch(() => null);
      await gateway?.close();
    },
  };
}
