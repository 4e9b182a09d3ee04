/** The built-in demo gateway as a connection, with its own key. */
import { randomBytes } from 'node:crypto';
import { readSpeed, readVideoSeconds } from './command-line.ts';
import { startDemoGateway } from './server.ts';

export interface Demo {
  /** New at each start; only the demo gateway itself knows it. */
  readonly key: string;
  /** On a free loopback port, so it differs at each start. */
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** `GATEHOUSE_DEMO_VIDEO_SECONDS` sets the duration of a video task, `GATEHOUSE_DEMO_SPEED` a factor for all delays. */
export async function startDemo(environment: NodeJS.ProcessEnv): Promise<Demo> {
  const key = `demo-${randomBytes(18).toString('base64url')}`;
  const videoSeconds = readVideoSeconds(environment.GATEHOUSE_DEMO_VIDEO_SECONDS ?? '');
  const speed = readSpeed(environment.GATEHOUSE_DEMO_SPEED ?? '');
  const gateway = await startDemoGateway({
    port: 0,
    key,
    ...(videoSeconds !== null && { videoSeconds }),
    ...(speed !== null && { speed }),
  });
  return { key, ...gateway };
}
