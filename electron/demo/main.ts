/** Runs the demo gateway as a standalone server: `npm run gateway -- --port N --key K`. */
import { parseArgs } from 'node:util';
import { exitWithParent } from '../launch/signals.ts';
import { createKey, type DemoGateway, readVideoSeconds, startDemoGateway } from './server.ts';

const USAGE = 'Usage: npm run gateway -- [--port N] [--key K] [--video-seconds N]';

// Do this first, because the parent process may exit while the gateway starts.
exitWithParent();
try {
  const options = readOptions(process.argv.slice(2));
  if (options === null) console.log(USAGE);
  else await start(options);
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  process.exitCode = 2;
}

interface Options {
  port: number;
  key: string | null;
  videoSeconds: number | null;
}

/** Returns null for `--help`; throws an error that names the invalid option. */
function readOptions(args: string[]): Options | null {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    options: {
      port: text,
      key: text,
      'video-seconds': text,
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return null;
  const { port = '0', key = null } = values;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new Error('--port must be a number from 0 to 65535.');
  }
  if (key !== null && !/^[\x21-\x7e]+$/.test(key)) {
    throw new Error('--key must be printable ASCII without spaces.');
  }
  const seconds = values['video-seconds'];
  const videoSeconds = seconds === undefined ? null : readVideoSeconds(seconds);
  if (seconds !== undefined && videoSeconds === null) {
    throw new Error('--video-seconds must be a number from 0 to 3600.');
  }
  return { port: Number(port), key, videoSeconds };
}

async function start({ port, key: chosenKey, videoSeconds }: Options): Promise<void> {
  const key = chosenKey ?? createKey();
  let gateway: DemoGateway;
  try {
    gateway = await startDemoGateway({
      port,
      key,
      ...(videoSeconds !== null && { videoSeconds }),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(`The demo gateway could not start: ${reason}. Try another --port, or 0.`);
    process.exitCode = 1;
    return;
  }
  console.log(gateway.baseUrl);
  if (chosenKey === null) {
    console.error(
      [
        `API key (valid until you stop the gateway): ${key}`,
        `Try: curl ${gateway.baseUrl}/v1/models -H "Authorization: Bearer ${key}"`,
        'Press Ctrl+C to stop.',
      ].join('\n'),
    );
  }
  const stop = () => {
    void gateway.close().then(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}
